use super::*;

const TIMES: Times = Times { start: 1, now: 2 };

fn one(text: &str) -> Metric {
    let mut all = read(text, TIMES);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

#[test]
fn a_counter_is_a_sum_that_only_grows() {
    let metric = one(
        "# HELP a_total What is\\\\was counted.\n# TYPE a_total counter\n\
         a_total 18446744073709551615\na_total{policy=\"a \\\"b\\\"\\n, c}\\\\\",mode=\"shadow\"} 7\n",
    );
    assert_eq!(metric.name, "a_total");
    assert_eq!(metric.description, "What is\\was counted.");
    let Some(Data::Sum(sum)) = metric.data else {
        panic!()
    };
    assert!(sum.is_monotonic);
    assert_eq!(sum.temporality(), Temporality::Cumulative);
    let [largest, labelled] = &sum.points[..] else {
        panic!()
    };
    // Not a negative number.
    assert_eq!(largest.value, Some(Value::Int(i64::MAX)));
    assert_eq!((largest.start, largest.time), (1, 2));
    assert_eq!(labelled.value, Some(Value::Int(7)));
    let labels = [
        Attribute::text("policy", "a \"b\"\n, c}\\"),
        Attribute::text("mode", "shadow"),
    ];
    assert_eq!(labelled.attributes, labels);
}

#[test]
fn a_gauge_keeps_its_number_to_the_last_bit() {
    for number in [0.1 + 0.2, 1e300, -0.0, f64::INFINITY, f64::MIN_POSITIVE] {
        let metric = one(&format!("# TYPE a gauge\na {number}\n"));
        let Some(Data::Gauge(gauge)) = metric.data else {
            panic!()
        };
        assert_eq!(gauge.points[0].value, Some(Value::Double(number)));
        assert_eq!(gauge.points[0].start, 0);
    }
}

#[test]
fn a_histogram_has_buckets_that_do_not_hold_each_other() {
    let metric = one("# TYPE a_seconds histogram\n\
         a_seconds_bucket{surface=\"http\",le=\"0.5\"} 2\na_seconds_bucket{surface=\"http\",le=\"1\"} 2\n\
         a_seconds_bucket{surface=\"http\",le=\"+Inf\"} 5\na_seconds_sum{surface=\"http\"} 7.25\n\
         a_seconds_count{surface=\"http\"} 5\n\
         a_seconds_bucket{surface=\"grpc\",le=\"0.5\"} 0\na_seconds_bucket{surface=\"grpc\",le=\"1\"} 1\n\
         a_seconds_bucket{surface=\"grpc\",le=\"+Inf\"} 1\na_seconds_sum{surface=\"grpc\"} 0.75\n\
         a_seconds_count{surface=\"grpc\"} 1\n");
    assert_eq!(metric.unit, "s");
    let Some(Data::Histogram(histogram)) = metric.data else {
        panic!()
    };
    let told: Vec<_> = histogram
        .points
        .iter()
        .map(|it| (&it.counts[..], &it.bounds[..], it.count, it.sum))
        .collect();
    assert_eq!(
        told,
        [
            (&[2, 0, 3][..], &[0.5, 1.0][..], 5, Some(7.25)),
            (&[0, 1, 0], &[0.5, 1.0], 1, Some(0.75)),
        ]
    );
    let surface = &histogram.points[1].attributes;
    assert_eq!(surface, &[Attribute::text("surface", "grpc")]);
}

#[test]
fn what_is_not_understood_is_left_out_and_nothing_else_is() {
    let text = "# TYPE s summary\ns{quantile=\"0.5\"} 1\n# TYPE empty counter\n\
                b 1\n# TYPE a counter\nnonsense\na{x=\"} 1\na{x 1\na nonsense\na\na 3\n\n";
    let metric = one(text);
    assert_eq!(metric.name, "a");
    let Some(Data::Sum(sum)) = metric.data else {
        panic!()
    };
    assert_eq!(sum.points.len(), 1);
}
