//! Spans of requests, and what exports them: nothing, without the feature `opentelemetry`.

#[cfg(not(feature = "opentelemetry"))]
mod nothing;

#[cfg(not(feature = "opentelemetry"))]
pub(crate) use nothing::{Exporting, Tracer, Tracing};

#[cfg(feature = "opentelemetry")]
pub(crate) use crate::opentelemetry::{Exporting, Tracer, Tracing};
