//! How results are written.

use std::fmt;
use std::io::{ErrorKind, IsTerminal, stdout};

use tollgate::Micros;

/// True if an error says that whoever read the output has gone, as `head` does.
pub(crate) fn reader_has_gone(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// True if colours help: somebody looks, and has not said that they are unwanted
/// (<https://no-color.org>).
pub(crate) fn is_coloured() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    stdout().is_terminal() && !refused && !dumb
}

/// A span or an instant as decimal seconds, exact, without trailing zeros.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seconds(pub(crate) Micros);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (
            self.0.as_micros() / 1_000_000,
            self.0.as_micros() % 1_000_000,
        );
        if part == 0 {
            return f.pad(&whole.to_string());
        }
        let text = format!("{whole}.{part:06}");
        f.pad(text.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact() {
        let text = |micros| Seconds(Micros::new(micros)).to_string();
        assert_eq!(text(0), "0");
        assert_eq!(text(1), "0.000001");
        assert_eq!(text(10_500_000), "10.5");
        assert_eq!(text(100_000_000), "100");
        assert_eq!(text((1 << 53) - 1), "9007199254.740991");
    }
}
