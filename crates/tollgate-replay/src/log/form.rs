//! The forms of logs, by name.

use std::fmt;
use std::str::FromStr;

use tollgate_policy::file::nearest;

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Form {
    /// `combined`: nginx and Apache, common and combined, with a virtual host in front or the usual
    /// fields behind; Traefik's text.
    Combined,
}

impl Form {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Combined];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Combined => "combined",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Form {
    type Err = ParseFormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut forms = Self::ALL.iter();
        let form = forms.find(|form| form.as_str() == text);
        form.copied().ok_or_else(|| ParseFormError {
            text: text.chars().take(60).collect(),
        })
    }
}

/// A text that names no form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFormError {
    text: String,
}

impl fmt::Display for ParseFormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = || Form::ALL.iter().map(|form| form.as_str());
        write!(f, "there is no format `{}`", self.text.escape_debug())?;
        if let Some(meant) = nearest(names(), &self.text) {
            write!(f, "; did you mean `{meant}`?")?;
        }
        let names: Vec<&str> = names().collect();
        write!(f, " The formats are {}", names.join(", "))
    }
}

impl std::error::Error for ParseFormError {}
