//! What is never shown: the users, passwords and queries of URLs, values of fields named for
//! secrets, and values that secret attributes are tested for.
//!
//! Of what is TOML they are found among its values; of what is not, and of comments, in the text,
//! where more is hidden rather than less.

mod loose;
mod tree;
mod url;

use std::ops::Range;

use toml::de::DeTable;

pub(super) use url::{has_password, masked_url};

/// Stands for a secret where text is shown.
pub(super) const MASK: &str = "***";

/// The secrets of a file.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    /// Where they stand, in order, and apart from each other.
    pub(super) spans: Vec<Range<usize>>,
    /// What no message may tell, where it quotes a part of the text.
    pub(super) values: Vec<String>,
}

impl Secrets {
    /// Those of a text and of what the parser made of it.
    pub(super) fn of(text: &str, root: &DeTable<'_>, is_toml: bool) -> Self {
        let mut found = Self::default();
        tree::find(root, text, &mut found);
        loose::find(text, is_toml, &mut found);
        found.join();
        found
    }

    fn push_secret(&mut self, span: Range<usize>, value: &str) {
        if !span.is_empty() {
            self.spans.push(span);
        }
        self.hide(default_of(value).unwrap_or(value));
    }

    fn hide(&mut self, value: &str) {
        self.values.push(value.to_owned());
    }

    /// Puts spans in order, those together that touch.
    fn join(&mut self) {
        self.spans.retain(|span| !span.is_empty());
        self.spans.sort_by_key(|span| (span.start, span.end));
        let mut joined: Vec<Range<usize>> = Vec::with_capacity(self.spans.len());
        for span in self.spans.drain(..) {
            match joined.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => joined.push(span),
            }
        }
        self.spans = joined;
    }
}

/// The secrets of the value of a variable that no message may tell, if it is a URL.
pub(super) fn in_variable(value: &str) -> Vec<&str> {
    let is_url = value.contains("://") || value.contains('@');
    if is_url {
        url::passwords(value)
    } else {
        Vec::new()
    }
}

/// A text without the secrets of URLs in it. One ends with the line.
pub(super) fn masked(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    let mut found = Secrets::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        loose::in_line(text, start..start + line.len(), false, &mut found);
        start += line.len();
    }
    found.join();
    covered(text, &found.spans, MASK)
}

/// A text with a mask in place of some spans, which are in order.
fn covered(text: &str, spans: &[Range<usize>], mask: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut end = 0;
    for span in spans {
        shown.push_str(text.get(end..span.start).unwrap_or(""));
        shown.push_str(mask);
        end = span.end;
    }
    shown.push_str(text.get(end..).unwrap_or(""));
    shown
}

/// True if a field of this name is a URL.
fn is_url_name(name: &str) -> bool {
    let name = name
        .trim_matches(['"', '\'', ' ', '\t'])
        .to_ascii_lowercase();
    ["url", "uri", "dsn"]
        .iter()
        .any(|word| name.ends_with(word))
}

/// What stands for a variable that is not set, in `${NAME:-default}`.
fn default_of(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("${")?.strip_suffix('}')?;
    inner.split_once(":-").map(|(_, default)| default)
}

fn is_variable(text: &str) -> bool {
    let name = text
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'));
    name.is_some_and(|name| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
mod tests;
