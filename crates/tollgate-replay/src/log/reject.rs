//! Why a line is not a request.

use std::fmt;

/// Why a line could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reject {
    /// It has the form of no known log.
    UnknownForm,
    /// It is of another form than the one that was asked for.
    OtherForm,
    /// It ends in the middle: a quote or a brace is never closed.
    Unfinished,
    /// It has no time, or one that cannot be read.
    Time,
    /// Its time, less its duration, lies before 1970 or after 2255.
    OutOfRange,
    /// Its time is more than a week outside of those of the lines around it, before and behind, or more
    /// than a year at the begin or the end of a log.
    OutOfPlace,
    /// Its time has no offset from UTC, and none was given.
    NoOffset,
    /// It has fewer fields than its form.
    TooFewFields,
    /// Its client is neither an address nor a host's name.
    Client,
    /// A quote stands inside a text in quotes, and where the text ends cannot be told.
    Quotes,
    /// Its status is no number from 000 to 999.
    Status,
    /// It is not the JSON that it begins as.
    Json,
    /// A field that the map names is missing, or no text and no number.
    Field,
    /// It is longer than lines are read.
    TooLong,
    /// It is no text: the log is no log, or one that is compressed or encoded in another way.
    Binary,
}

impl Reject {
    /// A name that never changes, for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownForm => "unknown_form",
            Self::OtherForm => "other_form",
            Self::Unfinished => "unfinished",
            Self::Time => "time",
            Self::OutOfRange => "out_of_range",
            Self::OutOfPlace => "out_of_place",
            Self::NoOffset => "no_offset",
            Self::TooFewFields => "too_few_fields",
            Self::Client => "client",
            Self::Quotes => "quotes",
            Self::Status => "status",
            Self::Json => "json",
            Self::Field => "field",
            Self::TooLong => "too_long",
            Self::Binary => "binary",
        }
    }
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownForm => "it has the form of no known log",
            Self::OtherForm => "it has another form than the one that was asked for",
            Self::Unfinished => "it ends in the middle",
            Self::Time => "its time cannot be read",
            Self::OutOfRange => {
                "its time, or that less its duration, is not between 1970 and 2255: is the unit right?"
            }
            Self::OutOfPlace => "its time is far from those of the lines around it",
            Self::NoOffset => "its time has no offset from UTC; say which with --timezone",
            Self::TooFewFields => "it has too few fields",
            Self::Client => "its client is neither an address nor a host's name",
            Self::Quotes => "quotes inside its quotes are not escaped",
            Self::Status => "its status is no number",
            Self::Json => "it is not valid JSON",
            Self::Field => "a field that --field names is missing",
            Self::TooLong => "it is too long",
            Self::Binary => "it is binary, and no text",
        })
    }
}
