//! What cannot be used, and how that is told.

use std::ffi::OsString;
use std::fs;

use super::*;

#[test]
fn what_is_wrong_is_told_with_the_variable_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    fs::write(&file, "nothing").unwrap();
    let file = file.to_str().unwrap();
    let https = ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://otel");
    for (variables, expected) in [
        (
            &[("OTEL_SDK_DISABLED", "yes")][..],
            "OTEL_SDK_DISABLED is `yes`, which is not supported; it can be `true`, `false`",
        ),
        (
            &[ENDPOINT, ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")],
            "OTEL_EXPORTER_OTLP_PROTOCOL is `http/json`, which is not supported; it can be `http/protobuf`, `grpc`",
        ),
        (
            &[ENDPOINT, ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "udp")],
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is `udp`",
        ),
        (
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "otel:4317")],
            "OTEL_EXPORTER_OTLP_ENDPOINT does not begin with `http://` or `https://`; write it like `http://127.0.0.1:4318`",
        ),
        (
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http:// otel")],
            "OTEL_EXPORTER_OTLP_ENDPOINT is no URL",
        ),
        (
            &[(
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
                "http://c2VjcmV0@otel",
            )],
            "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT has a user in it; say who exports in OTEL_EXPORTER_OTLP_HEADERS",
        ),
        (
            &[ENDPOINT, ("OTEL_METRICS_EXPORTER", "console")],
            "OTEL_METRICS_EXPORTER is `console`, which is not supported; it can be `otlp`, `prometheus`, `none`",
        ),
        (
            &[ENDPOINT, ("OTEL_TRACES_EXPORTER", "otlp,zipkin")],
            "OTEL_TRACES_EXPORTER is `otlp,zipkin`",
        ),
        (
            &[ENDPOINT, ("OTEL_EXPORTER_OTLP_HEADERS", "a=1,c2VjcmV0")],
            "OTEL_EXPORTER_OTLP_HEADERS has no `=` in its member 2; write members like `name=value`",
        ),
        (
            &[ENDPOINT, ("OTEL_EXPORTER_OTLP_HEADERS", "a b=c2VjcmV0")],
            "OTEL_EXPORTER_OTLP_HEADERS names no header in its member 1",
        ),
        (
            &[ENDPOINT, ("OTEL_EXPORTER_OTLP_HEADERS", "a=c2VjcmV0%0A")],
            "OTEL_EXPORTER_OTLP_HEADERS has what no header may have",
        ),
        (
            &[
                ENDPOINT,
                ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "Host=c2VjcmV0"),
            ],
            "OTEL_EXPORTER_OTLP_TRACES_HEADERS sets `host`",
        ),
        (
            &[ENDPOINT, ("OTEL_EXPORTER_OTLP_TIMEOUT", "10s")],
            "OTEL_EXPORTER_OTLP_TIMEOUT is to be a number of milliseconds",
        ),
        (
            &[ENDPOINT, ("OTEL_METRIC_EXPORT_INTERVAL", "0")],
            "OTEL_METRIC_EXPORT_INTERVAL is to be a number of milliseconds from 1",
        ),
        (
            &[ENDPOINT, ("OTEL_BSP_SCHEDULE_DELAY", "-1")],
            "OTEL_BSP_SCHEDULE_DELAY is to be a number of milliseconds",
        ),
        (
            &[ENDPOINT, ("OTEL_BSP_MAX_QUEUE_SIZE", "0")],
            "OTEL_BSP_MAX_QUEUE_SIZE is to be a number from 1 to 1048576",
        ),
        (
            &[ENDPOINT, ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "many")],
            "OTEL_BSP_MAX_EXPORT_BATCH_SIZE is to be a number",
        ),
        (
            &[ENDPOINT, ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")],
            "OTEL_EXPORTER_OTLP_COMPRESSION is `gzip`, which is not supported; it can be `none`",
        ),
        (
            &[
                ENDPOINT,
                ("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta"),
            ],
            "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE is `delta`, which is not supported; it can be `cumulative`",
        ),
        (
            &[ENDPOINT, ("OTEL_RESOURCE_ATTRIBUTES", "a=1,b")],
            "OTEL_RESOURCE_ATTRIBUTES has no `=` in its member 2",
        ),
        (
            &[ENDPOINT, ("OTEL_RESOURCE_ATTRIBUTES", "=1")],
            "OTEL_RESOURCE_ATTRIBUTES has no name in its member 1",
        ),
        (
            &[ENDPOINT, ("OTEL_TRACES_SAMPLER", "jaeger_remote")],
            "OTEL_TRACES_SAMPLER is `jaeger_remote`, which is not supported; it can be `always_on`,",
        ),
        (
            &[
                ENDPOINT,
                ("OTEL_TRACES_SAMPLER", "traceidratio"),
                ("OTEL_TRACES_SAMPLER_ARG", "1.5"),
            ],
            "OTEL_TRACES_SAMPLER_ARG is to be a number from 0 to 1, such as `0.01`",
        ),
        (
            &[
                ENDPOINT,
                ("OTEL_TRACES_SAMPLER", "traceidratio"),
                ("OTEL_TRACES_SAMPLER_ARG", "-0.1"),
            ],
            "OTEL_TRACES_SAMPLER_ARG is to be a number",
        ),
        (
            &[https, ("OTEL_EXPORTER_OTLP_CERTIFICATE", "/nowhere.pem")],
            "OTEL_EXPORTER_OTLP_CERTIFICATE cannot be used: cannot read /nowhere.pem",
        ),
        (
            &[https, ("OTEL_EXPORTER_OTLP_CERTIFICATE", file)],
            "OTEL_EXPORTER_OTLP_CERTIFICATE cannot be used: there is no certificate in",
        ),
        (
            &[https, ("OTEL_EXPORTER_OTLP_CLIENT_KEY", file)],
            "OTEL_EXPORTER_OTLP_CLIENT_KEY needs OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE beside it",
        ),
        (
            &[https, ("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", file)],
            "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE needs OTEL_EXPORTER_OTLP_CLIENT_KEY beside it",
        ),
    ] {
        let error = read(None, variables).map(|_| variables).unwrap_err();
        let told = error.to_string();
        assert!(told.starts_with(expected), "{told}");
        assert!(
            !told.contains(SECRET) && !format!("{error:?}").contains(SECRET),
            "{told}"
        );
        assert!(expected.starts_with(error.variable()));
    }
    let named = read(Some("otel"), &[]).unwrap_err();
    assert_eq!(named.variable(), "--otlp-endpoint");
}

#[test]
fn what_is_not_utf_8_is_told_without_its_bytes() {
    let bytes = OsString::from(SECRET);
    let error = OpenTelemetry::from_variables(None, |name| match name {
        "OTEL_EXPORTER_OTLP_ENDPOINT" => Ok("http://otel".to_owned()),
        "OTEL_EXPORTER_OTLP_HEADERS" => Err(VarError::NotUnicode(bytes.clone())),
        _ => Err(VarError::NotPresent),
    });
    let told = error.unwrap_err().to_string();
    assert_eq!(
        told,
        "OTEL_EXPORTER_OTLP_HEADERS is not UTF-8; write it in UTF-8, or remove it"
    );
}
