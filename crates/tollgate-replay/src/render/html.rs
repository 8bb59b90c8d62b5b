//! A report as one page of HTML.

use crate::report::Report;

/// A report as one page of HTML that needs nothing else: no network, no other file.
#[must_use]
pub fn html(report: &Report) -> String {
    format!(
        "<!doctype html><title>{} requests</title>\n",
        report.totals.requests
    )
}
