//! What the variables of the environment say of exports.

mod wrong;

use std::collections::HashMap;

use super::*;

const SECRET: &str = "c2VjcmV0";

fn read(
    named: Option<&str>,
    variables: &[(&str, &str)],
) -> Result<Option<OpenTelemetry>, OpenTelemetryError> {
    let variables: HashMap<_, _> = variables.iter().copied().collect();
    OpenTelemetry::from_variables(named, |name| {
        let value = variables.get(name).map(|value| (*value).to_owned());
        value.ok_or(VarError::NotPresent)
    })
}

fn configured(variables: &[(&str, &str)]) -> OpenTelemetry {
    read(None, variables).unwrap().unwrap()
}

fn endpoints(read: &OpenTelemetry) -> [Option<String>; 2] {
    let metrics = read.metrics.as_ref().map(|it| &it.target);
    let traces = read.traces.as_ref().map(|it| &it.target);
    [metrics, traces].map(|target| Some(target?.endpoint.to_string()))
}

const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://otel:4318");

#[test]
fn nothing_is_exported_unless_that_is_asked_for() {
    for variables in [
        &[][..],
        &[("OTEL_SERVICE_NAME", "limits")],
        &[("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")],
        // What is of no account is not looked at.
        &[("OTEL_TRACES_SAMPLER", "nonsense")],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", "")],
        &[ENDPOINT, ("OTEL_SDK_DISABLED", "true")],
        &[
            ENDPOINT,
            ("OTEL_SDK_DISABLED", "TRUE"),
            ("OTEL_TRACES_SAMPLER", "nonsense"),
        ],
        &[
            ENDPOINT,
            ("OTEL_METRICS_EXPORTER", "none"),
            ("OTEL_TRACES_EXPORTER", "none"),
        ],
        &[("OTEL_METRICS_EXPORTER", "prometheus")],
    ] {
        assert!(read(None, variables).unwrap().is_none(), "{variables:?}");
    }
}

#[test]
fn an_endpoint_is_that_of_its_signal_or_stands_for_both() {
    let both = |metrics: &str, traces: &str| [Some(metrics.to_owned()), Some(traces.to_owned())];
    let metrics_alone = |metrics: &str| [Some(metrics.to_owned()), None];
    for (variables, expected) in [
        (
            &[ENDPOINT][..],
            both("http://otel:4318/v1/metrics", "http://otel:4318/v1/traces"),
        ),
        (
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "https://[::1]/otlp/?token=x")],
            both(
                "https://[::1]/otlp/v1/metrics",
                "https://[::1]/otlp/v1/traces",
            ),
        ),
        (
            &[
                ENDPOINT,
                ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://tempo/in"),
            ],
            both("http://otel:4318/v1/metrics", "http://tempo/in"),
        ),
        (
            &[("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://mimir/in")],
            metrics_alone("http://mimir/in"),
        ),
        (
            &[("OTEL_METRICS_EXPORTER", "otlp")],
            metrics_alone("http://localhost:4318/v1/metrics"),
        ),
        (
            &[
                ("OTEL_METRICS_EXPORTER", "prometheus,otlp"),
                ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ],
            metrics_alone("http://localhost:4317/"),
        ),
        (
            &[ENDPOINT, ("OTEL_TRACES_EXPORTER", "none")],
            metrics_alone("http://otel:4318/v1/metrics"),
        ),
        (
            &[
                ENDPOINT,
                ("OTEL_SDK_DISABLED", "false"),
                ("OTEL_TRACES_EXPORTER", "none"),
            ],
            metrics_alone("http://otel:4318/v1/metrics"),
        ),
    ] {
        assert_eq!(endpoints(&configured(variables)), expected, "{variables:?}");
    }
    let named = read(Some("http://named:1"), &[ENDPOINT]).unwrap().unwrap();
    let expected = both("http://named:1/v1/metrics", "http://named:1/v1/traces");
    assert_eq!(endpoints(&named), expected);
}

#[test]
fn an_endpoint_is_connected_to_as_it_says() {
    let endpoint = |url| {
        let read = configured(&[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", url)]);
        read.traces.unwrap().target.endpoint
    };
    let of = |endpoint: &Endpoint| {
        (
            endpoint.host().to_owned(),
            endpoint.port(),
            endpoint.target().to_owned(),
        )
    };
    let expected = |host: &str, port, target: &str| (host.to_owned(), port, target.to_owned());
    assert_eq!(of(&endpoint("http://otel")), expected("otel", 80, "/"));
    assert_eq!(of(&endpoint("https://[::1]")), expected("::1", 443, "/"));
    let with_query = endpoint("https://h:1/a?b=c");
    assert_eq!(of(&with_query), expected("h", 1, "/a?b=c"));
    assert_eq!(format!("{with_query:?}"), "https://h:1/a");
}

#[test]
fn what_is_said_of_one_signal_goes_before_what_is_said_of_all() {
    let read = configured(&[
        ENDPOINT,
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "http/protobuf"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "2500"),
        ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "1"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a=1"),
        ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "b=2"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "none"),
    ]);
    let (metrics, traces) = (read.metrics.unwrap().target, read.traces.unwrap().target);
    assert_eq!(metrics.protocol, Protocol::Http);
    assert_eq!(traces.protocol, Protocol::Grpc);
    assert_eq!(metrics.timeout, Duration::from_millis(2500));
    assert_eq!(traces.timeout, Duration::from_millis(1));
    assert!(metrics.headers.contains_key("a") && !metrics.headers.contains_key("b"));
    assert!(traces.headers.contains_key("b") && !traces.headers.contains_key("a"));
    assert_eq!(metrics.endpoint.to_string(), "http://otel:4318/v1/metrics");
    assert_eq!(traces.endpoint.to_string(), "http://otel:4318/");
}

#[test]
fn headers_are_decoded_and_shown_nowhere() {
    let headers = format!("authorization=Basic%20{SECRET}, X-Scope = a%2Cb ,");
    let read = configured(&[ENDPOINT, ("OTEL_EXPORTER_OTLP_HEADERS", &headers)]);
    let target = &read.traces.as_ref().unwrap().target;
    assert_eq!(target.headers["authorization"], format!("Basic {SECRET}"));
    assert_eq!(target.headers["x-scope"], "a,b");
    let shown = format!("{read:?}{:?}", target.headers);
    assert!(
        shown.contains("authorization") && !shown.contains(SECRET),
        "{shown}"
    );
}

#[test]
fn the_resource_is_who_exports() {
    let of = |variables: &[(&str, &str)]| {
        let read = configured(variables);
        let all = read.resource.attributes();
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect::<HashMap<_, _>>()
    };
    let unsaid = of(&[ENDPOINT]);
    assert_eq!(unsaid["service.name"], "tollgate");
    assert_eq!(unsaid["service.version"], env!("CARGO_PKG_VERSION"));
    // No two are the same.
    let instance = &unsaid["service.instance.id"];
    assert_ne!(*instance, of(&[ENDPOINT])["service.instance.id"]);
    assert_eq!(instance.len(), 36);
    assert_eq!(instance.as_bytes()[14], b'4');
    let said = of(&[
        ENDPOINT,
        (
            "OTEL_RESOURCE_ATTRIBUTES",
            "service.name=other, deployment.environment.name=a%2Cb%3D,service.instance.id=pod-1",
        ),
        ("OTEL_SERVICE_NAME", "limits"),
    ]);
    assert_eq!(said["service.name"], "limits");
    assert_eq!(said["deployment.environment.name"], "a,b=");
    assert_eq!(said["service.instance.id"], "pod-1");
    let named = of(&[ENDPOINT, ("OTEL_RESOURCE_ATTRIBUTES", "service.name=other")]);
    assert_eq!(named["service.name"], "other");
}

#[test]
fn spans_and_metrics_go_when_they_are_told_to() {
    let unsaid = configured(&[ENDPOINT]);
    assert_eq!(unsaid.metrics.unwrap().interval, Duration::from_secs(60));
    let batches = unsaid.traces.unwrap().batches;
    assert_eq!((batches.max, batches.max_waiting), (512, 2048));
    assert_eq!(batches.delay, Duration::from_secs(5));
    let said = configured(&[
        ENDPOINT,
        ("OTEL_METRIC_EXPORT_INTERVAL", "1500"),
        ("OTEL_BSP_SCHEDULE_DELAY", "20"),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "100"),
        ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "200"),
    ]);
    assert_eq!(said.metrics.unwrap().interval, Duration::from_millis(1500));
    let batches = said.traces.unwrap().batches;
    // No more than wait.
    assert_eq!((batches.max, batches.max_waiting), (100, 100));
    assert_eq!(batches.delay, Duration::from_millis(20));
}

#[test]
fn a_sampler_takes_its_share() {
    let share = |sampler: &[(&str, &str)]| {
        let variables = [&[ENDPOINT], sampler].concat();
        let sampler = configured(&variables).traces.unwrap().sampler;
        let mut random = fastrand::Rng::with_seed(7);
        (0..10_000)
            .filter(|_| sampler.samples(None, random.u128(..)))
            .count()
    };
    let named = |name| share(&[("OTEL_TRACES_SAMPLER", name)]);
    assert_eq!(share(&[]), 10_000);
    assert_eq!(named("always_on"), 10_000);
    assert_eq!(named("parentbased_always_on"), 10_000);
    assert_eq!(named("always_off"), 0);
    assert_eq!(named("parentbased_always_off"), 0);
    assert_eq!(named("traceidratio"), 10_000);
    for sampler in ["traceidratio", "parentbased_traceidratio"] {
        let of = |ratio| {
            share(&[
                ("OTEL_TRACES_SAMPLER", sampler),
                ("OTEL_TRACES_SAMPLER_ARG", ratio),
            ])
        };
        assert_eq!(of("0"), 0);
        assert_eq!(of("1"), 10_000);
        assert!((50..200).contains(&of("0.01")));
        assert!((4_700..5_300).contains(&of("0.5")));
    }
}
