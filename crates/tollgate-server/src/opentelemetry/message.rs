//! The messages of OTLP, as far as they are written and read here.
//!
//! Fields that are never set are left out: a collector takes them as not there. Tests read what is
//! written with the protocol's own definitions.

use prost::{Message, Oneof};

/// `ExportMetricsServiceRequest`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Metrics {
    #[prost(message, repeated, tag = "1")]
    pub(super) resources: Vec<ResourceMetrics>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceMetrics {
    #[prost(message, optional, tag = "1")]
    pub(super) resource: Option<Resource>,
    #[prost(message, repeated, tag = "2")]
    pub(super) scopes: Vec<ScopeMetrics>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ScopeMetrics {
    #[prost(message, optional, tag = "1")]
    pub(super) scope: Option<Scope>,
    #[prost(message, repeated, tag = "2")]
    pub(super) metrics: Vec<Metric>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Metric {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) description: String,
    #[prost(string, tag = "3")]
    pub(super) unit: String,
    #[prost(oneof = "Data", tags = "5, 7, 9")]
    pub(super) data: Option<Data>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Data {
    #[prost(message, tag = "5")]
    Gauge(Gauge),
    #[prost(message, tag = "7")]
    Sum(Sum),
    #[prost(message, tag = "9")]
    Histogram(Histogram),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Gauge {
    #[prost(message, repeated, tag = "1")]
    pub(super) points: Vec<Number>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Sum {
    #[prost(message, repeated, tag = "1")]
    pub(super) points: Vec<Number>,
    #[prost(enumeration = "Temporality", tag = "2")]
    pub(super) temporality: i32,
    #[prost(bool, tag = "3")]
    pub(super) is_monotonic: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Histogram {
    #[prost(message, repeated, tag = "1")]
    pub(super) points: Vec<HistogramPoint>,
    #[prost(enumeration = "Temporality", tag = "2")]
    pub(super) temporality: i32,
}

/// From when on is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub(super) enum Temporality {
    Unspecified = 0,
    /// Since the start of the process.
    Cumulative = 2,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Number {
    #[prost(message, repeated, tag = "7")]
    pub(super) attributes: Vec<Attribute>,
    #[prost(fixed64, tag = "2")]
    pub(super) start: u64,
    #[prost(fixed64, tag = "3")]
    pub(super) time: u64,
    #[prost(oneof = "Value", tags = "4, 6")]
    pub(super) value: Option<Value>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Value {
    #[prost(double, tag = "4")]
    Double(f64),
    #[prost(sfixed64, tag = "6")]
    Int(i64),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct HistogramPoint {
    #[prost(message, repeated, tag = "9")]
    pub(super) attributes: Vec<Attribute>,
    #[prost(fixed64, tag = "2")]
    pub(super) start: u64,
    #[prost(fixed64, tag = "3")]
    pub(super) time: u64,
    #[prost(fixed64, tag = "4")]
    pub(super) count: u64,
    #[prost(double, optional, tag = "5")]
    pub(super) sum: Option<f64>,
    /// How many fell into each bucket and into no lower one; one more than there are bounds.
    #[prost(fixed64, repeated, tag = "6")]
    pub(super) counts: Vec<u64>,
    #[prost(double, repeated, tag = "7")]
    pub(super) bounds: Vec<f64>,
}

/// `ExportTraceServiceRequest`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Traces {
    #[prost(message, repeated, tag = "1")]
    pub(super) resources: Vec<ResourceSpans>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceSpans {
    #[prost(message, optional, tag = "1")]
    pub(super) resource: Option<Resource>,
    #[prost(message, repeated, tag = "2")]
    pub(super) scopes: Vec<ScopeSpans>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ScopeSpans {
    #[prost(message, optional, tag = "1")]
    pub(super) scope: Option<Scope>,
    #[prost(message, repeated, tag = "2")]
    pub(super) spans: Vec<Span>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Span {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) trace_id: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) span_id: Vec<u8>,
    #[prost(bytes = "vec", tag = "4")]
    pub(super) parent_span_id: Vec<u8>,
    #[prost(fixed32, tag = "16")]
    pub(super) flags: u32,
    #[prost(string, tag = "5")]
    pub(super) name: String,
    /// 2 for what a server does.
    #[prost(int32, tag = "6")]
    pub(super) kind: i32,
    #[prost(fixed64, tag = "7")]
    pub(super) start: u64,
    #[prost(fixed64, tag = "8")]
    pub(super) end: u64,
    #[prost(message, repeated, tag = "9")]
    pub(super) attributes: Vec<Attribute>,
    #[prost(message, optional, tag = "15")]
    pub(super) status: Option<Status>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Status {
    /// 2 for an error.
    #[prost(int32, tag = "3")]
    pub(super) code: i32,
}

/// Who tells it.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Resource {
    #[prost(message, repeated, tag = "1")]
    pub(super) attributes: Vec<Attribute>,
}

/// What of it tells it.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Scope {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) version: String,
}

/// `KeyValue`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Attribute {
    #[prost(string, tag = "1")]
    pub(super) key: String,
    #[prost(message, optional, tag = "2")]
    pub(super) value: Option<Any>,
}

/// `AnyValue`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Any {
    #[prost(oneof = "AnyValue", tags = "1, 2, 3")]
    pub(super) value: Option<AnyValue>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum AnyValue {
    #[prost(string, tag = "1")]
    Text(String),
    #[prost(bool, tag = "2")]
    Bool(bool),
    #[prost(int64, tag = "3")]
    Int(i64),
}

impl Attribute {
    pub(super) fn new(key: impl Into<String>, value: AnyValue) -> Self {
        Self {
            key: key.into(),
            value: Some(Any { value: Some(value) }),
        }
    }

    pub(super) fn text(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(key, AnyValue::Text(value.into()))
    }
}

/// The answer to both requests.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Response {
    #[prost(message, optional, tag = "1")]
    pub(super) partial_success: Option<PartialSuccess>,
}

/// What of a request was not taken.
#[derive(Clone, PartialEq, Message)]
pub(super) struct PartialSuccess {
    /// How many spans or points.
    #[prost(int64, tag = "1")]
    pub(super) rejected: i64,
    #[prost(string, tag = "2")]
    pub(super) message: String,
}
