//! Which form a line has.

use super::{Line, ReadOptions, Reject, Skipped, provisional};

/// Reads lines of a log whose form is not known before.
#[derive(Debug)]
pub(crate) struct Detector;

impl Detector {
    pub(crate) const fn new(_options: &ReadOptions) -> Self {
        Self
    }

    /// What a line says, and the name of its form.
    #[expect(clippy::unused_self, reason = "it will remember the form")]
    pub(crate) fn read<'l>(
        &'l mut self,
        line: &'l [u8],
    ) -> Result<(Line<'l>, &'static str), Reject> {
        if line.trim_ascii().is_empty() {
            return Ok((Line::Skipped(Skipped::Blank), ""));
        }
        Ok((provisional::read(line)?, "combined"))
    }
}
