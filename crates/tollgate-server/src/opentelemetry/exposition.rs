//! From the text that Prometheus reads to metrics of OTLP.
//!
//! What is exported is read from what `/metrics` shows, so that both have the same names, labels and
//! values by construction, whoever counts them.

use std::collections::HashMap;
use std::str::Chars;

use super::message::{
    Attribute, Data, Gauge, Histogram, HistogramPoint, Metric, Number, Sum, Temporality, Value,
};

/// When what is told was the case, in nanoseconds since the epoch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// When counters were zero.
    pub(super) start: u64,
    pub(super) now: u64,
}

/// The metrics of a text in the format of Prometheus. What is no counter, gauge or histogram, and
/// what is not understood, is left out.
pub(super) fn read(text: &str, times: Times) -> Vec<Metric> {
    let mut metrics = Vec::new();
    let mut help = HashMap::new();
    let mut family: Option<Family<'_>> = None;
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let mut words = comment.splitn(3, ' ');
            match (words.next(), words.next(), words.next()) {
                (Some("HELP"), Some(name), Some(text)) => {
                    help.insert(name, text);
                }
                (Some("TYPE"), Some(name), Some(kind)) => {
                    metrics.extend(family.take().and_then(Family::metric));
                    family = Family::new(name, kind, help.get(name).copied());
                }
                _ => {}
            }
        } else if let (Some(family), Some(sample)) = (&mut family, Sample::read(line)) {
            family.add(sample, times);
        }
    }
    metrics.extend(family.and_then(Family::metric));
    metrics
}

/// All that is told of one name.
struct Family<'t> {
    name: &'t str,
    description: String,
    data: Data,
}

impl<'t> Family<'t> {
    fn new(name: &'t str, kind: &str, help: Option<&str>) -> Option<Self> {
        let temporality = Temporality::Cumulative.into();
        let data = match kind {
            "counter" => Data::Sum(Sum {
                points: Vec::new(),
                temporality,
                is_monotonic: true,
            }),
            "gauge" => Data::Gauge(Gauge { points: Vec::new() }),
            "histogram" => Data::Histogram(Histogram {
                points: Vec::new(),
                temporality,
            }),
            _ => return None,
        };
        Some(Self {
            name,
            description: help.map_or_else(String::new, unescaped),
            data,
        })
    }

    fn add(&mut self, sample: Sample<'_>, times: Times) {
        let Some(suffix) = sample.name.strip_prefix(self.name) else {
            return;
        };
        match &mut self.data {
            Data::Sum(sum) => {
                if let Ok(count) = sample.value.parse::<u64>() {
                    let count = i64::try_from(count).unwrap_or(i64::MAX);
                    let start = times.start;
                    let value = Value::Int(count);
                    sum.points.push(number(sample.labels, start, times, value));
                }
            }
            Data::Gauge(gauge) => {
                if let Some(value) = float(sample.value) {
                    let value = Value::Double(value);
                    gauge.points.push(number(sample.labels, 0, times, value));
                }
            }
            Data::Histogram(histogram) => observe(&mut histogram.points, suffix, sample, times),
        }
    }

    /// `None` if there is nothing of it.
    fn metric(self) -> Option<Metric> {
        let is_empty = match &self.data {
            Data::Sum(sum) => sum.points.is_empty(),
            Data::Gauge(gauge) => gauge.points.is_empty(),
            Data::Histogram(histogram) => histogram.points.is_empty(),
        };
        let is_time = self.name.ends_with("_seconds");
        (!is_empty).then(|| Metric {
            name: self.name.to_owned(),
            description: self.description,
            unit: if is_time { "s" } else { "" }.to_owned(),
            data: Some(self.data),
        })
    }
}

fn number(labels: Labels, start: u64, times: Times, value: Value) -> Number {
    Number {
        attributes: attributes(labels),
        start,
        time: times.now,
        value: Some(value),
    }
}

/// The lines of one histogram follow each other: its buckets, its sum, its count.
fn observe(points: &mut Vec<HistogramPoint>, suffix: &str, sample: Sample<'_>, times: Times) {
    let mut labels = sample.labels;
    let bound = labels.iter().position(|(name, _)| name == "le");
    let bound = bound.map(|at| labels.remove(at).1);
    let attributes = attributes(labels);
    let is_same = |point: &&mut HistogramPoint| point.attributes == attributes;
    let point = match points.last_mut().filter(is_same) {
        Some(point) => point,
        None => {
            points.push(HistogramPoint {
                attributes,
                start: times.start,
                time: times.now,
                ..HistogramPoint::default()
            });
            let Some(point) = points.last_mut() else {
                return;
            };
            point
        }
    };
    match (suffix, bound, sample.value.parse::<u64>()) {
        ("_bucket", Some(bound), Ok(up_to)) => {
            let lower: u64 = point.counts.iter().sum();
            point.counts.push(up_to.saturating_sub(lower));
            // What is above all bounds has none.
            if bound != "+Inf" {
                point.bounds.extend(float(&bound));
            }
            // The buckets make the sum of themselves: the count is written a moment later.
            point.count = up_to;
        }
        ("_sum", None, _) => point.sum = float(sample.value),
        _ => {}
    }
}

type Labels = Vec<(String, String)>;

fn attributes(labels: Labels) -> Vec<Attribute> {
    let labels = labels.into_iter();
    labels
        .map(|(name, value)| Attribute::text(name, value))
        .collect()
}

/// A line: `name{label="value",…} value`.
struct Sample<'t> {
    name: &'t str,
    labels: Labels,
    value: &'t str,
}

impl<'t> Sample<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let end = line.find(['{', ' '])?;
        let (name, rest) = line.split_at(end);
        let (labels, rest) = match rest.strip_prefix('{') {
            Some(labels) => read_labels(labels)?,
            None => (Labels::new(), rest),
        };
        let value = rest.strip_prefix(' ')?;
        Some(Self {
            name,
            labels,
            value,
        })
    }
}

/// The labels, and what follows their brace.
fn read_labels(mut text: &str) -> Option<(Labels, &str)> {
    let mut labels = Labels::new();
    loop {
        if let Some(rest) = text.strip_prefix('}') {
            return Some((labels, rest));
        }
        let (name, rest) = text.split_once("=\"")?;
        let mut rest = rest.chars();
        let value = read_value(&mut rest)?;
        labels.push((name.to_owned(), value));
        text = rest.as_str();
        text = text.strip_prefix(',').unwrap_or(text);
    }
}

/// A value up to its closing quote.
fn read_value(text: &mut Chars<'_>) -> Option<String> {
    let mut value = String::new();
    loop {
        match text.next()? {
            '"' => return Some(value),
            '\\' => value.push(escaped(text.next()?)),
            plain => value.push(plain),
        }
    }
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(it) = chars.next() {
        match it {
            '\\' => plain.extend(chars.next().map(escaped)),
            it => plain.push(it),
        }
    }
    plain
}

const fn escaped(it: char) -> char {
    match it {
        'n' => '\n',
        it => it,
    }
}

/// Rust reads the infinities and what is no number as Prometheus writes them.
fn float(text: &str) -> Option<f64> {
    text.parse().ok()
}

#[cfg(test)]
mod tests;
