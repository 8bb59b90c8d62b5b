//! How exports go, as metrics.

use std::fmt::{Error, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use super::settings::Signal;

const SIGNALS: [Signal; 2] = [Signal::Metrics, Signal::Traces];

/// Counts of exports.
#[derive(Debug, Default)]
pub(super) struct Tally([[AtomicU64; 2]; 2]);

impl Tally {
    pub(super) fn count(&self, signal: Signal, is_taken: bool) {
        let place = SIGNALS.iter().position(|it| *it == signal);
        let counts = place.and_then(|place| self.0.get(place));
        if let Some([taken, failed]) = counts {
            let count = if is_taken { taken } else { failed };
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// As Prometheus reads them.
    pub(super) fn write(&self, text: &mut impl Write, dropped: u64) -> Result<(), Error> {
        let name = "tollgate_otlp_exports_total";
        writeln!(text, "# HELP {name} Exports by OTLP, by how they ended.")?;
        writeln!(text, "# TYPE {name} counter")?;
        for (signal, counts) in SIGNALS.iter().zip(&self.0) {
            let signal = signal.name();
            for (outcome, count) in ["ok", "failed"].iter().zip(counts) {
                let count = count.load(Ordering::Relaxed);
                writeln!(
                    text,
                    "{name}{{signal=\"{signal}\",outcome=\"{outcome}\"}} {count}"
                )?;
            }
        }
        let name = "tollgate_otlp_spans_dropped_total";
        writeln!(text, "# HELP {name} Spans that were not exported.")?;
        writeln!(text, "# TYPE {name} counter")?;
        writeln!(text, "{name} {dropped}")
    }
}
