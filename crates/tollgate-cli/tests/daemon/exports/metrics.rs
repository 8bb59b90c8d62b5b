//! What is exported of metrics.

use std::collections::BTreeSet;
use std::net::TcpStream;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value;
use opentelemetry_proto::tonic::metrics::v1::{AggregationTemporality, NumberDataPoint};

use super::collector::Collector;
use super::{PROTOCOLS, ask, exporting};
use crate::client;
use crate::process::{Daemon, folder};

/// The labels of a point, as Prometheus writes them, and one more.
fn labels(attributes: &[KeyValue], more: Option<(&str, String)>) -> String {
    let mut all: Vec<_> = attributes
        .iter()
        .map(|it| (it.key.as_str(), text(it)))
        .collect();
    all.extend(more);
    let all: Vec<_> = all
        .iter()
        .map(|(name, value)| format!("{name}={value:?}"))
        .collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("{{{}}}", all.join(",")),
    }
}

pub(super) fn text(attribute: &KeyValue) -> String {
    match attribute.value.as_ref().and_then(|it| it.value.as_ref()) {
        Some(any_value::Value::StringValue(text)) => text.clone(),
        other => panic!("{other:?}"),
    }
}

fn number(point: &NumberDataPoint) -> String {
    match point.value {
        Some(Value::AsInt(number)) => number.to_string(),
        Some(Value::AsDouble(number)) => number.to_string(),
        None => panic!("no value"),
    }
}

/// What Prometheus would read if this were written for it.
fn lines(export: &ExportMetricsServiceRequest) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let scopes = export
        .resource_metrics
        .iter()
        .flat_map(|it| &it.scope_metrics);
    for metric in scopes.flat_map(|it| &it.metrics) {
        let name = &metric.name;
        let cumulative = i32::from(AggregationTemporality::Cumulative);
        lines.insert(format!("# HELP {name} {}", metric.description));
        let kind = match metric.data.as_ref().unwrap() {
            Data::Gauge(gauge) => {
                for point in &gauge.data_points {
                    assert!(matches!(point.value, Some(Value::AsDouble(_))));
                    let labels = labels(&point.attributes, None);
                    lines.insert(format!("{name}{labels} {}", number(point)));
                }
                "gauge"
            }
            Data::Sum(sum) => {
                assert!(sum.is_monotonic && sum.aggregation_temporality == cumulative);
                for point in &sum.data_points {
                    assert!(matches!(point.value, Some(Value::AsInt(_))));
                    assert!((1..=point.time_unix_nano).contains(&point.start_time_unix_nano));
                    let labels = labels(&point.attributes, None);
                    lines.insert(format!("{name}{labels} {}", number(point)));
                }
                "counter"
            }
            Data::Histogram(histogram) => {
                assert_eq!(histogram.aggregation_temporality, cumulative);
                assert_eq!(metric.unit, "s");
                for point in &histogram.data_points {
                    assert_eq!(point.bucket_counts.len(), point.explicit_bounds.len() + 1);
                    let bounds = point.explicit_bounds.iter().map(f64::to_string);
                    let mut up_to = 0;
                    for (bound, count) in
                        bounds.chain(["+Inf".to_owned()]).zip(&point.bucket_counts)
                    {
                        up_to += count;
                        let labels = labels(&point.attributes, Some(("le", bound)));
                        lines.insert(format!("{name}_bucket{labels} {up_to}"));
                    }
                    let labels = labels(&point.attributes, None);
                    lines.insert(format!("{name}_count{labels} {}", point.count));
                    lines.insert(format!("{name}_sum{labels} {}", point.sum.unwrap()));
                }
                "histogram"
            }
            other => panic!("{other:?}"),
        };
        lines.insert(format!("# TYPE {name} {kind}"));
    }
    lines
}

/// Asking for the metrics changes those of the surface that is asked, and each export those of
/// exports.
fn stays(line: &str) -> bool {
    !line.is_empty()
        && !line.contains("surface=\"operations\"")
        && !line.starts_with("tollgate_otlp_exports_total")
}

#[test]
fn metrics_that_are_exported_are_those_of_the_page() {
    for protocol in PROTOCOLS {
        let (folder, collector) = (folder(), Collector::start());
        let socket = folder.path().join("operations");
        let mut command = exporting(folder.path(), &collector, protocol);
        command.arg(format!("--operations=unix:{}", socket.display()));
        // Nothing of them is exported while this goes on.
        command.env("OTEL_TRACES_EXPORTER", "none");
        let daemon = Daemon::start(&mut command);
        ask(&daemon, 12);
        let mut operator = std::os::unix::net::UnixStream::connect(socket).unwrap();
        // The connection of those who asked ends a moment after them.
        tollgate_testkit::redis::until("all have gone", || {
            let page = client::ask(&mut operator, "/metrics").unwrap();
            page.contains("tollgate_server_connections{surface=\"http\"} 0")
        });
        let page = client::ask(&mut operator, "/metrics").unwrap();
        let (_, page) = page.split_once("\r\n\r\n").unwrap();
        let shown: BTreeSet<_> = page
            .lines()
            .filter(|it| stays(it))
            .map(str::to_owned)
            .collect();
        assert!(
            shown.len() > 80
                && shown.contains(
                    "tollgate_requests_total{outcome=\"deny\",reason=\"limit_exceeded\"} 2"
                ),
            "{page}"
        );
        let exported = lines(&collector.later_metrics().message);
        let exported: BTreeSet<_> = exported.into_iter().filter(|it| stays(it)).collect();
        assert_eq!(exported, shown);
    }
}

#[test]
fn who_exports_is_who_the_variables_say() {
    let (folder, collector) = (folder(), Collector::start());
    let mut command = exporting(folder.path(), &collector, "grpc");
    command.env("OTEL_SERVICE_NAME", "limits").env(
        "OTEL_RESOURCE_ATTRIBUTES",
        "deployment.environment.name=test",
    );
    let daemon = Daemon::start(&mut command);
    ask(&daemon, 1);
    let metrics = collector.metrics().message;
    let traces = collector.traces().message;
    let resource = metrics.resource_metrics[0].resource.clone().unwrap();
    assert_eq!(traces.resource_spans[0].resource, Some(resource.clone()));
    let of = |name: &str| {
        let found = resource.attributes.iter().find(|it| it.key == name);
        text(found.unwrap())
    };
    assert_eq!(of("service.name"), "limits");
    assert_eq!(of("deployment.environment.name"), "test");
    assert_eq!(of("service.instance.id").len(), 36);
    let scope = metrics.resource_metrics[0].scope_metrics[0].scope.clone();
    assert_eq!(scope.unwrap().name, "tollgate");
}

#[test]
fn what_is_left_is_exported_at_the_end() {
    for protocol in PROTOCOLS {
        let (folder, collector) = (folder(), Collector::start());
        let mut command = exporting(folder.path(), &collector, protocol);
        let daemon = Daemon::start(
            command
                .env("OTEL_METRIC_EXPORT_INTERVAL", "3600000")
                .env("OTEL_BSP_SCHEDULE_DELAY", "3600000"),
        );
        // The first is at the beginning.
        collector.metrics();
        ask(&daemon, 3);
        daemon.signal("-INT");
        let line = "tollgate_requests_total{outcome=\"allow\",reason=\"allowed\"} 3";
        let last = lines(&collector.metrics().message);
        assert!(last.contains(line), "{last:?}");
        let spans = collector.traces().message;
        assert_eq!(spans.resource_spans[0].scope_spans[0].spans.len(), 3);
        assert!(daemon.end().success());
    }
}

#[test]
fn the_page_tells_how_exports_go() {
    let (folder, collector) = (folder(), Collector::start());
    let daemon = Daemon::start(&mut exporting(folder.path(), &collector, "grpc"));
    collector.later_metrics();
    let mut stream = TcpStream::connect(daemon.port()).unwrap();
    let page = client::ask(&mut stream, "/metrics").unwrap();
    let ok = page.lines().find_map(|line| {
        line.strip_prefix("tollgate_otlp_exports_total{signal=\"metrics\",outcome=\"ok\"} ")
    });
    assert!(ok.unwrap().parse::<u64>().unwrap() > 0);
    assert!(page.contains("tollgate_otlp_spans_dropped_total 0"));
    for name in [
        "tollgate_otlp_exports_total",
        "tollgate_otlp_spans_dropped_total",
    ] {
        let guide = include_str!("../../../../../docs/daemon/operations.md");
        assert!(guide.contains(&format!("| `{name}` |")), "{name}");
    }
}
