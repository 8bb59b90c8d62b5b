//! Columns for people.

use std::io::Write;

use tollgate::{Limit, Micros, Verdict};

use super::answer::Answer;
use crate::output::shown;
use crate::seconds::Seconds;

/// Rows as they come, under one head, with a sum at the end.
#[derive(Debug)]
pub(super) struct Table<W> {
    output: W,
    are_several: bool,
    is_coloured: bool,
    rows: u64,
    allowed: u64,
}

impl<W: Write> Table<W> {
    pub(super) fn new(output: W, limits: &[Limit], is_coloured: bool) -> Self {
        Self {
            output,
            are_several: limits.len() > 1,
            is_coloured,
            rows: 0,
            allowed: 0,
        }
    }

    pub(super) fn row(&mut self, answer: &Answer<'_>) -> anyhow::Result<()> {
        if self.rows == 0 {
            writeln!(
                self.output,
                "{:>12}  {:<12}  {:>6}  {:<7}  {:>15}  {:>12}  {:>12}{}",
                "seconds",
                "key",
                "cost",
                "verdict",
                "remaining",
                "reset after",
                "retry after",
                if self.are_several { "  decided by" } else { "" },
            )?;
        }
        self.rows += 1;
        self.allowed += u64::from(answer.outcome.verdict.is_allow());
        let key = match answer.request.key.as_str() {
            "" => "-".to_owned(),
            key => shown(key),
        };
        let retry_after = answer
            .outcome
            .retry_after
            .map_or_else(|| "-".to_owned(), seconds);
        let decided_by = answer
            .decided_by
            .map_or_else(String::new, |limit| format!("  {limit}"));
        let (on, off) = self.colour(answer.outcome.verdict);
        writeln!(
            self.output,
            "{:>12}  {:<12}  {:>6}  {on}{:<7}{off}  {:>15}  {:>12}  {:>12}{decided_by}",
            answer.since_epoch(),
            key,
            answer.request.cost,
            answer.verdict(),
            format!("{} of {}", answer.outcome.remaining, answer.outcome.limit),
            seconds(answer.outcome.reset_after),
            retry_after,
        )?;
        Ok(())
    }

    pub(super) fn end(mut self) -> anyhow::Result<()> {
        let denied = self.rows - self.allowed;
        let requests = if self.rows == 1 {
            "request"
        } else {
            "requests"
        };
        writeln!(
            self.output,
            "{} {requests}: {} allowed, {denied} denied",
            self.rows, self.allowed
        )?;
        self.output.flush()?;
        Ok(())
    }

    const fn colour(&self, verdict: Verdict) -> (&'static str, &'static str) {
        if !self.is_coloured {
            return ("", "");
        }
        match verdict {
            Verdict::Allow => ("\x1b[32m", "\x1b[0m"),
            Verdict::Deny => ("\x1b[31m", "\x1b[0m"),
            Verdict::Never => ("\x1b[35m", "\x1b[0m"),
        }
    }
}

fn seconds(span: Micros) -> String {
    format!("{} s", Seconds(span))
}
