//! What a file may hold, as data: the parser checks by it, and the JSON schema and the reference
//! are written from it.

/// A table and its fields.
#[derive(Debug)]
pub(super) struct TableShape {
    /// As it is written: `[store]`.
    pub(super) name: &'static str,
    /// What it is for. Markdown.
    pub(super) doc: &'static str,
    pub(super) fields: &'static [Field],
    /// Names that people write, and what to do instead.
    pub(super) instead: &'static [(&'static str, &'static str)],
}

/// A field: meaning, default, bounds, cost and danger.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// As it is written in a file, or in words where it is left out; empty if there is none.
    pub(super) default: &'static str,
    /// A value, as it is written in a file.
    pub(super) example: &'static str,
    pub(super) is_required: bool,
    /// Markdown.
    pub(super) doc: &'static str,
}

/// Which values a field takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Boolean,
    /// A whole number.
    Integer {
        min: u64,
        max: u64,
    },
    /// One of some words.
    Word(&'static [Word]),
    /// A text that is read further.
    Text(TextShape),
    /// A value, or a list of them.
    OneOrMany(&'static Self),
    /// A list.
    Many(&'static Self),
    /// Whichever of them the type of the value fits.
    AnyOf(&'static [Self]),
    Table(&'static TableShape),
    /// Names of attributes with the values that they may have.
    Tests,
}

/// A word and its meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextShape {
    Any,
    Name,
    Limit,
    Duration,
    Size,
    Network,
    Attribute,
    KeyPart,
    Header,
    Share,
    Statuses,
    StoreUrl,
}

impl TableShape {
    pub(super) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl TextShape {
    /// What it is, with an article, and an example where that helps.
    pub(super) const fn describe(self) -> &'static str {
        match self {
            Self::Any => "a text",
            Self::Name => "a name",
            Self::Limit => "a limit such as \"10/min\"",
            Self::Duration => "a time with a unit, such as \"100ms\"",
            Self::Size => "a size with a unit, such as \"64MiB\"",
            Self::Network => "an address or a network, such as \"10.0.0.0/8\"",
            Self::Attribute => "the name of an attribute, such as \"user.plan\"",
            Self::KeyPart => "a part of a key, such as \"client.ip\"",
            Self::Header => "the name of a header, such as \"x-forwarded-for\"",
            Self::Share => "a share such as \"1/4\" or \"25%\"",
            Self::Statuses => "statuses such as \"4xx\" or \"500-504\"",
            Self::StoreUrl => "a URL such as \"redis://127.0.0.1:6379\"",
        }
    }

    /// A regular expression for editors: never stricter than what is read.
    pub(super) const fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Name => Some("^([A-Za-z0-9][A-Za-z0-9._-]{0,63}|.*\\$.*)$"),
            Self::Limit => Some("^(\\s*[0-9][0-9_]*\\s*/.+|.*\\$.*)$"),
            Self::Duration => Some("^([0-9]+ ?(ms|s|min|h|d)|.*\\$.*)$"),
            Self::Size => Some("^([0-9]+ ?(B|KiB|MiB|GiB)|.*\\$.*)$"),
            Self::Share => Some("^([0-9]+/[0-9]+|[0-9]+%|.*\\$.*)$"),
            Self::Statuses => Some("^([1-5]xx|[0-9]{3}(-[0-9]{3})?|.*\\$.*)$"),
            _ => None,
        }
    }
}
