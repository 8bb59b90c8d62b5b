//! Stands where spans would be made and exported, and does nothing.

use std::fmt::{Error, Write};
use std::future::{Ready, ready};

use http::HeaderMap;
use tollgate_policy::Decision;

use crate::http::Operations;

/// Makes no spans.
#[derive(Clone, Debug)]
pub(crate) struct Tracer(());

impl Tracer {
    pub(crate) const fn nothing() -> Self {
        Self(())
    }

    #[inline(always)]
    pub(crate) fn begin(
        &self,
        _surface: &'static str,
        _name: &'static str,
        _headers: &HeaderMap,
    ) -> Tracing {
        Tracing
    }

    #[expect(clippy::unnecessary_wraps, reason = "as with the feature")]
    pub(crate) fn write_metrics(&self, _text: &mut impl Write) -> Result<(), Error> {
        Ok(())
    }
}

/// A request without a span.
#[derive(Debug)]
#[must_use = "as with the feature"]
pub(crate) struct Tracing;

impl Tracing {
    #[inline(always)]
    pub(crate) fn end(self, _decision: &Decision) {}

    #[inline(always)]
    pub(crate) fn end_all<'d>(self, _decisions: impl IntoIterator<Item = &'d Decision>) {}
}

/// Exports nothing.
#[derive(Debug)]
pub(crate) struct Exporting(());

impl Exporting {
    pub(crate) const fn nothing() -> Self {
        Self(())
    }

    pub(crate) const fn tracer(&self) -> Tracer {
        Tracer::nothing()
    }

    pub(crate) const fn start(&mut self, _operations: &Operations) {}

    pub(crate) fn end(self) -> Ready<()> {
        ready(())
    }
}
