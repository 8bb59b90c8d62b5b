//! Columns for people.

use std::io::Write;

use textwrap::core::display_width;
use tollgate::{Limit, Micros, Verdict};

use super::answer::Answer;
use crate::output::shown;
use crate::seconds::Seconds;

/// So many rows are held back, to make columns as wide as what is in them.
const HELD_BACK: usize = 100;
/// Numbers are aligned right, texts left.
const HEADS: [(&str, Align); 8] = [
    ("seconds", Align::Right),
    ("key", Align::Left),
    ("cost", Align::Right),
    ("verdict", Align::Left),
    ("remaining", Align::Right),
    ("reset after", Align::Right),
    ("retry after", Align::Right),
    ("decided by", Align::Left),
];
/// The column that is coloured.
const VERDICT: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A line of cells, and what it says.
type Row = (Vec<String>, Option<Verdict>);

/// Rows as they come, under one head, with a sum at the end.
#[derive(Debug)]
pub(super) struct Table<W> {
    output: W,
    columns: usize,
    is_coloured: bool,
    rows: u64,
    allowed: u64,
    waiting: Vec<Row>,
    widths: [usize; HEADS.len()],
}

impl<W: Write> Table<W> {
    pub(super) fn new(output: W, limits: &[Limit], is_coloured: bool) -> Self {
        let heads = HEADS.map(|(head, _)| head.to_owned()).to_vec();
        Self {
            output,
            // Which limit decided is told where there are several.
            columns: HEADS.len() - usize::from(limits.len() < 2),
            is_coloured,
            rows: 0,
            allowed: 0,
            waiting: vec![(heads, None)],
            widths: [0; HEADS.len()],
        }
    }

    pub(super) fn row(&mut self, answer: &Answer<'_>) -> anyhow::Result<()> {
        self.rows += 1;
        self.allowed += u64::from(answer.outcome.verdict.is_allow());
        self.waiting
            .push((cells(answer), Some(answer.outcome.verdict)));
        if self.waiting.len() > HELD_BACK {
            self.write_waiting()?;
        }
        Ok(())
    }

    /// Writes what is held back. A later row that is wider makes the columns of those after it so.
    fn write_waiting(&mut self) -> anyhow::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        for (cells, _) in &waiting {
            for (width, cell) in self.widths.iter_mut().zip(cells) {
                *width = (*width).max(display_width(cell));
            }
        }
        for row in &waiting {
            self.write_row(row)?;
        }
        Ok(())
    }

    fn write_row(&mut self, (cells, verdict): &Row) -> anyhow::Result<()> {
        let (on, off) = verdict.map_or(("", ""), |verdict| self.colour(verdict));
        let mut line = String::new();
        let columns = cells.iter().zip(HEADS).zip(self.widths);
        for (column, ((cell, (_, align)), width)) in columns.take(self.columns).enumerate() {
            let gap = " ".repeat(width.saturating_sub(display_width(cell)));
            if column > 0 {
                line.push_str("  ");
            }
            if align == Align::Right {
                line.push_str(&gap);
            }
            if column == VERDICT {
                line.extend([on, cell, off]);
            } else {
                line.push_str(cell);
            }
            if align == Align::Left {
                line.push_str(&gap);
            }
        }
        writeln!(self.output, "{}", line.trim_end())?;
        Ok(())
    }

    /// Writes what there is, without a sum.
    pub(super) fn stop(mut self) -> anyhow::Result<()> {
        if self.rows > 0 {
            self.write_waiting()?;
        }
        Ok(self.output.flush()?)
    }

    /// Writes what there is, and the sum.
    pub(super) fn end(mut self) -> anyhow::Result<()> {
        self.write_waiting()?;
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

fn cells(answer: &Answer<'_>) -> Vec<String> {
    let Answer {
        request, outcome, ..
    } = answer;
    vec![
        answer.since_epoch().to_string(),
        match request.key.as_str() {
            "" => "-".to_owned(),
            key => shown(key),
        },
        request.cost.to_string(),
        answer.verdict().to_owned(),
        format!("{} of {}", outcome.remaining, outcome.limit),
        seconds(outcome.reset_after),
        outcome.retry_after.map_or_else(|| "-".to_owned(), seconds),
        answer.decided_by.map_or_else(String::new, Limit::to_string),
    ]
}

fn seconds(span: Micros) -> String {
    format!("{} s", Seconds(span))
}
