//! What a run prints: tables as they come, and at the end the asked figures beside the measured.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::thread;

use anyhow::Result;

/// A figure that was asked for, and what was measured.
#[derive(Debug)]
struct Goal {
    what: String,
    bound: Bound,
    measured: f64,
}

/// Where a figure should lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// There or above.
    AtLeast(f64),
    /// There or below.
    AtMost(f64),
}

impl Bound {
    /// Whether `measured` lies there; NaN never does.
    #[must_use]
    pub fn is_reached_by(self, measured: f64) -> bool {
        match self {
            Self::AtLeast(least) => measured >= least,
            Self::AtMost(most) => measured <= most,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, ">= {least}"),
            Self::AtMost(most) => write!(f, "<= {most}"),
        }
    }
}

/// Prints what a reader must know of the machine: above all whether it was busy.
///
/// # Errors
///
/// If standard output is closed.
pub fn print_machine() -> Result<()> {
    let cores = thread::available_parallelism().map_or(0, NonZeroUsize::get);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    writeln!(
        io::stdout().lock(),
        "{cores} cores, load average {load} (near 0 before the first part, or other programs \
         share what is measured)"
    )?;
    Ok(())
}

/// Rows of text under a title, aligned when printed.
#[derive(Debug)]
pub struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with its first row.
    pub fn new<C: Into<String>>(title: &str, header: impl IntoIterator<Item = C>) -> Self {
        let mut table = Self {
            title: title.to_owned(),
            rows: Vec::new(),
        };
        table.row(header);
        table
    }

    /// Adds a row.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Prints it, at once, so that a long run shows what it has.
    ///
    /// # Errors
    ///
    /// If standard output is closed.
    pub fn print(&self) -> Result<()> {
        let mut out = io::stdout().lock();
        write!(out, "{self}")?;
        out.flush()?;
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = Vec::new();
        for row in &self.rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        widths
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{}", self.title)?;
        let widths = self.widths();
        for row in &self.rows {
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if column == 0 {
                    write!(f, "  {cell:<width$}")?;
                } else {
                    write!(f, "  {cell:>width$}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Collects the asked figures of a run.
#[derive(Debug, Default)]
pub struct Report {
    goals: Vec<Goal>,
}

impl Report {
    /// Keeps an asked figure for the end.
    pub fn goal(&mut self, what: impl Into<String>, bound: Bound, measured: f64) {
        self.goals.push(Goal {
            what: what.into(),
            bound,
            measured,
        });
    }

    /// Prints every asked figure, and whether it was reached.
    ///
    /// # Errors
    ///
    /// If standard output is closed.
    pub fn finish(&self) -> Result<()> {
        if self.goals.is_empty() {
            return Ok(());
        }
        let mut table = Table::new("Asked figures", ["", "asked", "measured", "reached"]);
        for goal in &self.goals {
            let reached = goal.bound.is_reached_by(goal.measured);
            table.row([
                goal.what.clone(),
                goal.bound.to_string(),
                format!("{:.3}", goal.measured),
                if reached { "yes" } else { "NO" }.to_owned(),
            ]);
        }
        table.print()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new("title", ["name", "ns"]);
        table.row(["a longer name", "7"]);
        assert_eq!(
            table.to_string(),
            "\ntitle\n  name           ns\n  a longer name   7\n"
        );
    }

    #[test]
    fn a_figure_that_could_not_be_measured_is_not_reached() {
        assert!(!Bound::AtLeast(1.0).is_reached_by(f64::NAN));
        assert!(!Bound::AtMost(1.0).is_reached_by(f64::NAN));
        assert!(Bound::AtMost(1.0).is_reached_by(1.0));
    }
}
