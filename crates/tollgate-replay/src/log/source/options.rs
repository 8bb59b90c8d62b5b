//! How logs are to be read.

use crate::log::json::recent::Recent;
use crate::log::{FieldMap, Form, LogFormat, TimeZone};

/// How logs are to be read. Clones, and logs opened with the same options, know of each other's
/// requests which of them were delivered twice.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    format: Option<Form>,
    pub(crate) fields: Option<FieldMap>,
    pub(crate) log_format: Option<LogFormat>,
    pub(crate) time_zone: Option<TimeZone>,
    pub(crate) recent: Recent,
}

impl ReadOptions {
    /// The form that every line has, whatever it looks like: lines of other forms are rejected.
    /// Default: found out, file by file and line by line.
    ///
    /// [`Form::Fields`] needs [`fields`](Self::fields), [`Form::LogFormat`] needs
    /// [`log_format`](Self::log_format); without it every line is rejected.
    #[must_use]
    pub const fn format(mut self, form: Form) -> Self {
        self.format = Some(form);
        self
    }

    /// Where the facts of a request stand in lines that are JSON: all of those are read by this map.
    /// Default: only known forms of JSON are read.
    #[must_use]
    pub fn fields(mut self, fields: FieldMap) -> Self {
        self.fields = Some(fields);
        self
    }

    /// The `log_format` of nginx that lines have. Others are rejected, unless another
    /// [`format`](Self::format) is asked for as well, which then goes before.
    #[must_use]
    pub fn log_format(mut self, format: LogFormat) -> Self {
        self.log_format = Some(format);
        self
    }

    /// The time zone of times that have no offset. Default: lines with such times are rejected.
    #[must_use]
    pub fn time_zone(mut self, zone: TimeZone) -> Self {
        self.time_zone = Some(zone);
        self
    }

    /// What speaks against the map of fields after logs were read: see [`FieldMap::doubts`].
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        self.fields
            .as_ref()
            .map(FieldMap::doubts)
            .unwrap_or_default()
    }

    /// The form that lines must have.
    pub(crate) const fn form(&self) -> Option<Form> {
        match (self.format, &self.log_format) {
            (None, Some(_)) => Some(Form::LogFormat),
            (form, _) => form,
        }
    }
}
