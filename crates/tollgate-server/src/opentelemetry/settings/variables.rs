//! Variables, and what can be said in them.

use std::env::VarError;
use std::time::Duration;

use super::{OpenTelemetryError, Signal};
use crate::attributes::shown;

/// The most that is said in milliseconds: a day.
const MOST_MILLIS: u64 = 24 * 60 * 60 * 1000;
/// The most of what is counted: enough for any collector, and no memory worth a word.
const MOST: usize = 1 << 20;

type Lookup<'v> = dyn Fn(&str) -> Result<String, VarError> + 'v;

/// Where variables are looked up.
pub(super) struct Variables<'v>(&'v Lookup<'v>);

/// A variable that says something.
pub(super) struct Said {
    pub(super) variable: String,
    pub(super) value: String,
}

impl Said {
    /// It cannot be used. `problem` follows the name of the variable.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> OpenTelemetryError {
        OpenTelemetryError::new(&*self.variable, problem)
    }

    /// It is none of those that it can be; for what is no secret.
    pub(super) fn is_none_of(&self, known: &[&str]) -> OpenTelemetryError {
        let known = known.iter().map(|it| format!("`{it}`"));
        let known = known.collect::<Vec<_>>().join(", ");
        let shown = shown(&self.value);
        self.wrong(format!(
            "is `{shown}`, which is not supported; it can be {known}"
        ))
    }
}

impl<'v> Variables<'v> {
    pub(super) fn new(lookup: &'v Lookup<'v>) -> Self {
        Self(lookup)
    }

    /// What is empty is as if not there, as the specification has it.
    pub(super) fn get(&self, variable: &str) -> Result<Option<Said>, OpenTelemetryError> {
        match self.0(variable) {
            Ok(value) => {
                let value = value.trim();
                Ok((!value.is_empty()).then(|| Said {
                    variable: variable.to_owned(),
                    value: value.to_owned(),
                }))
            }
            Err(VarError::NotPresent) => Ok(None),
            // Its bytes are not told: they may be a secret.
            Err(VarError::NotUnicode(_)) => {
                let problem = "is not UTF-8; write it in UTF-8, or remove it";
                Err(OpenTelemetryError::new(variable, problem))
            }
        }
    }

    /// What is said for a signal alone, or else for all: `OTEL_EXPORTER_OTLP_TRACES_…`, or
    /// `OTEL_EXPORTER_OTLP_…`.
    pub(super) fn of(
        &self,
        signal: Signal,
        what: &str,
    ) -> Result<Option<Said>, OpenTelemetryError> {
        let alone = signal.in_variables();
        match self.get(&format!("OTEL_EXPORTER_OTLP_{alone}_{what}"))? {
            Some(said) => Ok(Some(said)),
            None => self.get(&format!("OTEL_EXPORTER_OTLP_{what}")),
        }
    }

    pub(super) fn is_true(&self, variable: &str) -> Result<bool, OpenTelemetryError> {
        let Some(said) = self.get(variable)? else {
            return Ok(false);
        };
        match &*said.value.to_ascii_lowercase() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(said.is_none_of(&["true", "false"])),
        }
    }

    /// Nothing, if the variable says nothing but what is done here anyway.
    pub(super) fn supported(
        &self,
        variable: &str,
        known: &[&str],
    ) -> Result<(), OpenTelemetryError> {
        match self.get(variable)? {
            Some(said) => said.supported(known),
            None => Ok(()),
        }
    }

    pub(super) fn millis(&self, variable: &str) -> Result<Option<Duration>, OpenTelemetryError> {
        self.get(variable)?.map(|said| said.millis()).transpose()
    }

    /// At least 1.
    pub(super) fn number(&self, variable: &str) -> Result<Option<usize>, OpenTelemetryError> {
        let Some(said) = self.get(variable)? else {
            return Ok(None);
        };
        match said.value.parse() {
            Ok(number) if (1..=MOST).contains(&number) => Ok(Some(number)),
            _ => Err(said.wrong(format!("is to be a number from 1 to {MOST}"))),
        }
    }
}

impl Said {
    pub(super) fn supported(&self, known: &[&str]) -> Result<(), OpenTelemetryError> {
        let is_known = known.iter().any(|it| self.value.eq_ignore_ascii_case(it));
        is_known.then_some(()).ok_or_else(|| self.is_none_of(known))
    }

    pub(super) fn millis(&self) -> Result<Duration, OpenTelemetryError> {
        match self.value.parse() {
            Ok(millis) if (1..=MOST_MILLIS).contains(&millis) => Ok(Duration::from_millis(millis)),
            _ => Err(self.wrong(format!(
                "is to be a number of milliseconds from 1 to {MOST_MILLIS}, without a unit"
            ))),
        }
    }
}
