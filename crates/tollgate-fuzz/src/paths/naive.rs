//! Paths and patterns as lists of segments, by the rules of `normalize_path` as they are written.

/// The segments of a path with dot segments resolved and empty ones left out.
pub(super) fn normal(path: &str) -> Vec<String> {
    let mut normal: Vec<String> = Vec::new();
    for segment in served(path) {
        match segment.as_str() {
            "" | "." => {}
            ".." => drop(normal.pop()),
            _ => normal.push(segment),
        }
    }
    normal
}

/// The segments of a path as a router takes them that keeps them all.
pub(super) fn served(path: &str) -> Vec<String> {
    let path = path.split(['?', '#']).next().unwrap_or("");
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() {
        return Vec::new();
    }
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split('/').map(decoded).collect()
}

/// Printable ASCII decoded once, all else encoded.
fn decoded(segment: &str) -> String {
    let bytes = segment.as_bytes();
    let mut text = String::new();
    let mut at = 0;
    while let Some(first) = bytes.get(at) {
        let digits = segment.get(at + 1..at + 3);
        let digits = digits.filter(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()));
        let encoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let byte = match encoded {
            Some(byte) if *first == b'%' => {
                at += 3;
                byte
            }
            _ => {
                at += 1;
                *first
            }
        };
        match byte {
            b'!'..=b'~' if !b"/%?#".contains(&byte) => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// A pattern of paths.
pub(super) struct Pattern(Vec<String>);

impl Pattern {
    pub(super) fn of(text: &str) -> Self {
        Self(normal(text))
    }

    /// Whether it matches all segments: a table of which beginnings of the one match which of the
    /// other.
    pub(super) fn matches(&self, segments: &[String]) -> bool {
        matches(
            &self.0,
            segments,
            |pattern| pattern == "**",
            |pattern, segment| glob(pattern, segment),
        )
    }
}

/// Whether a text matches a pattern with stars.
pub(super) fn glob(pattern: &str, text: &str) -> bool {
    matches(
        pattern.as_bytes(),
        text.as_bytes(),
        |byte| *byte == b'*',
        |wanted, byte| wanted == byte,
    )
}

fn matches<P, V>(
    pattern: &[P],
    values: &[V],
    is_star: impl Fn(&P) -> bool,
    is_match: impl Fn(&P, &V) -> bool,
) -> bool {
    // Whether what was seen of the pattern matches the first so many values.
    let mut reached = vec![false; values.len() + 1];
    if let Some(nothing) = reached.first_mut() {
        *nothing = true;
    }
    for wanted in pattern {
        let mut next = vec![false; values.len() + 1];
        if is_star(wanted) {
            let mut is_reached = false;
            for (next, was) in next.iter_mut().zip(&reached) {
                is_reached |= was;
                *next = is_reached;
            }
        } else {
            for ((next, was), value) in next.iter_mut().skip(1).zip(&reached).zip(values) {
                *next = *was && is_match(wanted, value);
            }
        }
        reached = next;
    }
    reached.last().copied().unwrap_or(false)
}
