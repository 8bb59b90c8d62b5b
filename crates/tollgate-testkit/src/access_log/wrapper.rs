//! What other programs put around lines.

use tollgate::{Micros, Timestamp};

use super::{escape, put, time};

/// What another program, through which a log has passed, has put around its lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wrapper {
    /// Nothing.
    #[default]
    None,
    /// A container runtime of Kubernetes. Every fiftieth line is in two parts.
    Cri,
    /// Docker's `json-file`.
    Docker,
    /// syslog, with a priority, without a year.
    Syslog,
}

impl Wrapper {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::None, Self::Cri, Self::Docker, Self::Syslog];

    /// Appends a line, the `number`-th, which was written at an instant, without the last line feed.
    pub(super) fn wrap(self, line: &str, number: u64, at: Timestamp, out: &mut String) {
        // It takes a moment to get there.
        let at = at.saturating_add(Micros::new(700));
        match self {
            Self::None => out.push_str(line),
            Self::Cri => {
                let mut rest = line;
                if number % 50 == 49
                    && let Some((first, second)) = in_two(line)
                {
                    time::rfc3339_nano(out, at, 0);
                    put!(out, " stdout P {first}\n");
                    rest = second;
                }
                time::rfc3339_nano(out, at, 0);
                put!(out, " stdout F {rest}");
            }
            Self::Docker => {
                out.push_str("{\"log\":\"");
                escape::go_json(out, line);
                out.push_str("\\n\",\"stream\":\"stdout\",\"time\":\"");
                time::rfc3339_nano(out, at, 1);
                out.push_str("\"}");
            }
            Self::Syslog => {
                out.push_str("<190>");
                time::syslog(out, at);
                put!(out, " web1 nginx: {line}");
            }
        }
    }
}

/// The line, in two parts of about the same length.
fn in_two(line: &str) -> Option<(&str, &str)> {
    let mut middle = line.len() / 2;
    while !line.is_char_boundary(middle) {
        middle += 1;
    }
    line.split_at_checked(middle)
}
