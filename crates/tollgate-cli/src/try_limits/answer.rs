//! What is told of each request.

use std::io::Write;

use tollgate::{Limit, Micros, Outcome, Outcomes};

use super::trace::Request;
use crate::seconds::Seconds;
use crate::words;

/// A request, and the outcome that decided.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    pub(super) request: &'a Request,
    pub(super) outcome: &'a Outcome,
    /// Which limit decided, if there are several.
    pub(super) decided_by: Option<&'a Limit>,
}

impl<'a> Answer<'a> {
    /// `None` only for a decision without charges.
    pub(super) fn new(
        request: &'a Request,
        outcomes: &'a Outcomes,
        decided_by: Option<&'a Limit>,
    ) -> Option<Self> {
        Some(Self {
            request,
            outcome: outcomes.deciding()?,
            decided_by,
        })
    }

    pub(super) const fn verdict(&self) -> &'static str {
        words::verdict(self.outcome.verdict)
    }

    /// When the request comes, since the Unix epoch.
    pub(super) const fn since_epoch(&self) -> Seconds {
        Seconds(Micros::new(self.request.at.as_micros()))
    }

    /// A line of JSON. Numbers of seconds are decimal and exact, which no float would be.
    pub(super) fn write_json(&self, output: &mut impl Write) -> anyhow::Result<()> {
        let Outcome {
            limit,
            remaining,
            reset_after,
            retry_after,
            ..
        } = *self.outcome;
        let retry_after = retry_after.map_or_else(
            || "null".to_owned(),
            |retry_after| Seconds(retry_after).to_string(),
        );
        let decided_by = match self.decided_by {
            Some(limit) => format!(
                ",\"decided_by\":{}",
                serde_json::to_string(&limit.to_string())?
            ),
            None => String::new(),
        };
        writeln!(
            output,
            "{{\"t\":{},\"key\":{},\"cost\":{},\"verdict\":\"{}\",\"limit\":{limit},\"remaining\":{remaining},\"reset_after\":{},\"retry_after\":{retry_after}{decided_by}}}",
            self.since_epoch(),
            serde_json::to_string(&self.request.key)?,
            self.request.cost,
            self.verdict(),
            Seconds(reset_after),
        )?;
        Ok(())
    }
}
