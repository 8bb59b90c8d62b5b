//! `tollgate try`: limits against requests that come at given times.

mod answer;
mod labels;
mod plot;
mod scales;
mod table;
mod trace;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, IsTerminal, Write, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use tollgate::{Charge, Limit, ManualClock, MemoryStore, Outcomes, Timestamp};

use crate::arguments::{Format, Try};
use crate::output::is_coloured;
use crate::usage::UsageError;
use answer::Answer;
use plot::Plot;
use table::Table;
use trace::{Lines, Request};

/// As many keys as a trace may have at a time, before the ones that matter least are forgotten.
const MAX_KEYS: usize = 10_000_000;

pub(crate) fn run(arguments: &Try) -> anyhow::Result<ExitCode> {
    if let Some(path) = &arguments.plot {
        check_is_svg(path)?;
    }
    let limits = &*arguments.limits;
    refuse_shared_counts(limits)?;
    let output = BufWriter::new(stdout().lock());
    let mut printer = match arguments.format {
        Format::Table => Printer::Table(Table::new(output, limits, is_coloured(&stdout()))),
        Format::Json => Printer::Json(output),
    };
    let mut plot = arguments.plot.is_some().then(|| Plot::new(limits));
    let trial = Trial::new(limits);
    let mut each = |request: &Request, outcomes: &Outcomes| {
        let decided_by = outcomes
            .deciding_index()
            .and_then(|index| limits.get(index))
            .filter(|_| limits.len() > 1);
        let Some(answer) = Answer::new(request, outcomes, decided_by) else {
            return Ok(());
        };
        if let Some(plot) = &mut plot {
            plot.add(&answer);
        }
        printer.print(&answer)
    };
    let decided = match (&arguments.trace, stdin().is_terminal()) {
        (Some(path), _) if path.as_os_str() != "-" => {
            let file =
                File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            trial.run(
                Lines::new(&path.display().to_string(), BufReader::new(file)),
                &mut each,
            )
        }
        (None, true) => bail!(
            "there are no requests; name a file with --trace, or pipe them in: printf '0\\n0\\n0.5\\n' | tollgate try 2/s"
        ),
        _ => trial.run(Lines::new("standard input", stdin().lock()), &mut each),
    };
    if let Err(error) = decided {
        // What has been answered is told; that it was not all is the error.
        printer.stop()?;
        return Err(error);
    }
    printer.end()?;
    if let (Some(plot), Some(path)) = (plot, &arguments.plot) {
        write_plot(&plot, path)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Limits of one algorithm and period have one count, which each would charge: no policy may have
/// such limits.
fn refuse_shared_counts(limits: &[Limit]) -> anyhow::Result<()> {
    for (position, limit) in limits.iter().enumerate() {
        let mut earlier = limits.iter().take(position);
        if let Some(earlier) = earlier.find(|earlier| earlier.id() == limit.id()) {
            return Err(UsageError(format!(
                "`{earlier}` and `{limit}` would share a count, because algorithm and period are the same; keep one, or change a period"
            ))
            .into());
        }
    }
    Ok(())
}

/// Refuses a name that promises another format.
fn check_is_svg(path: &Path) -> Result<(), UsageError> {
    match path.extension() {
        Some(extension) if !extension.eq_ignore_ascii_case("svg") => Err(UsageError(format!(
            "--plot writes SVG; name the file {}",
            path.with_extension("svg").display()
        ))),
        _ => Ok(()),
    }
}

fn write_plot(plot: &Plot, path: &Path) -> anyhow::Result<()> {
    std::fs::write(path, plot.svg()).with_context(|| format!("cannot write {}", path.display()))
}

/// Requests and limits on a clock of their own.
struct Trial<'a> {
    limits: &'a [Limit],
    store: MemoryStore<ManualClock>,
    clock: ManualClock,
}

impl<'a> Trial<'a> {
    fn new(limits: &'a [Limit]) -> Self {
        let clock = ManualClock::new(Timestamp::EPOCH);
        let store = MemoryStore::builder()
            .max_keys(MAX_KEYS)
            .clock(clock.clone())
            .build();
        Self {
            limits,
            store,
            clock,
        }
    }

    fn run(
        &self,
        mut lines: Lines<impl BufRead>,
        each: &mut impl FnMut(&Request, &Outcomes) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        while let Some(request) = lines.next()? {
            let outcomes = self.decide(&request)?;
            each(&request, &outcomes)?;
        }
        Ok(())
    }

    fn decide(&self, request: &Request) -> anyhow::Result<Outcomes> {
        self.clock.set(request.at);
        let charges: Vec<_> = self
            .limits
            .iter()
            .map(|limit| Charge::new(limit, &request.key, request.cost))
            .collect();
        self.store
            .decide_now(&charges)
            .with_context(|| format!("the request at {:?} cannot be decided", request.at))
    }
}

/// Where answers go.
#[derive(Debug)]
enum Printer<W: Write> {
    Table(Table<W>),
    Json(W),
}

impl<W: Write> Printer<W> {
    fn print(&mut self, answer: &Answer<'_>) -> anyhow::Result<()> {
        match self {
            Self::Table(table) => table.row(answer),
            Self::Json(output) => answer.write_json(output),
        }
    }

    /// Ends before the end.
    fn stop(self) -> anyhow::Result<()> {
        match self {
            Self::Table(table) => table.stop(),
            Self::Json(mut output) => Ok(output.flush()?),
        }
    }

    fn end(self) -> anyhow::Result<()> {
        match self {
            Self::Table(table) => table.end(),
            Self::Json(mut output) => Ok(output.flush()?),
        }
    }
}
