//! Which form a line has.

use super::{Line, ReadOptions, Reject, Skipped, TextForm, TextState};

/// Reads lines of a log whose form is not known before.
#[derive(Debug)]
pub(crate) struct Detector {
    text: TextState,
}

impl Detector {
    pub(crate) fn new(_options: &ReadOptions) -> Self {
        Self {
            text: TextState::new(None),
        }
    }

    /// What a line says, and the name of its form.
    pub(crate) fn read<'l>(
        &'l mut self,
        line: &'l [u8],
    ) -> Result<(Line<'l>, &'static str), Reject> {
        if line.trim_ascii().is_empty() {
            return Ok((Line::Skipped(Skipped::Blank), ""));
        }
        let mut reject = Reject::UnknownForm;
        for form in TextForm::ALL {
            match form.read(line, &mut self.text) {
                Ok(line) => return Ok((line, form.as_str())),
                Err(Reject::OtherForm) => {}
                Err(reason) => reject = reason,
            }
        }
        Err(reject)
    }
}
