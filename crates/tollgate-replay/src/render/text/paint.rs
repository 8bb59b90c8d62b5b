//! Colours of a terminal.

/// What ends any colour.
pub(super) const OFF: &str = "\x1b[0m";

/// What a colour says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// Nothing.
    Plain,
    /// What stands out.
    Strong,
    /// What is beside the point.
    Faint,
    /// A name or a value of somebody else's.
    Name,
    /// Let through.
    Admitted,
    /// Denied.
    Denied,
    /// Before you believe this.
    Warning,
}

impl Tone {
    /// What begins it; nothing for plain text.
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "\x1b[1m",
            Self::Faint => "\x1b[2m",
            Self::Name => "\x1b[36m",
            Self::Admitted => "\x1b[32m",
            Self::Denied => "\x1b[31m",
            Self::Warning => "\x1b[1;33m",
        }
    }

    /// The sequence that a text begins with, if it is one of these; nothing otherwise.
    pub(super) fn begun_by(text: &str) -> &'static str {
        const ALL: [Tone; 6] = [
            Tone::Strong,
            Tone::Faint,
            Tone::Name,
            Tone::Admitted,
            Tone::Denied,
            Tone::Warning,
        ];
        let codes = ALL.into_iter().map(Self::code);
        codes
            .into_iter()
            .find(|code| text.starts_with(code))
            .unwrap_or("")
    }

    /// A text in this tone, if there are colours.
    pub(super) fn paint(self, text: &str, is_coloured: bool) -> String {
        let code = self.code();
        if !is_coloured || code.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("{code}{text}{OFF}")
    }
}
