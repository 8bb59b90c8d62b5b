"""Reads an export from standard input as OpenTelemetry's own messages, and prints what is in it."""

import sys

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)
from opentelemetry.proto.metrics.v1.metrics_pb2 import AGGREGATION_TEMPORALITY_CUMULATIVE
from opentelemetry.proto.trace.v1.trace_pb2 import Span

kind = {"metrics": ExportMetricsServiceRequest, "traces": ExportTraceServiceRequest}
export = kind[sys.argv[1]]()
given = sys.stdin.buffer.read()
assert export.ParseFromString(given) == len(given)


def value(attribute):
    return getattr(attribute.value, attribute.value.WhichOneof("value"))


def service(resource):
    names = [value(it) for it in resource.attributes if it.key == "service.name"]
    print("service", *names)


if sys.argv[1] == "traces":
    for resource in export.resource_spans:
        service(resource.resource)
        for span in resource.scope_spans[0].spans:
            told = {it.key.removeprefix("tollgate."): value(it) for it in span.attributes}
            told = [f"{name}={told[name]}" for name in sorted(told)]
            print(span.name, Span.SpanKind.Name(span.kind), len(span.trace_id), len(span.span_id), *told)
else:
    for resource in export.resource_metrics:
        service(resource.resource)
        for metric in resource.scope_metrics[0].metrics:
            data = metric.WhichOneof("data")
            points = getattr(metric, data).data_points
            if data != "gauge":
                assert getattr(metric, data).aggregation_temporality == AGGREGATION_TEMPORALITY_CUMULATIVE
            for point in points:
                labels = ",".join(f"{it.key}={value(it)}" for it in point.attributes)
                if data == "histogram":
                    assert point.count == sum(point.bucket_counts)
                    told = f"{point.count} of {len(point.bucket_counts)} buckets"
                else:
                    told = getattr(point, point.WhichOneof("value"))
                print(metric.name, data, f"{{{labels}}}", told)
