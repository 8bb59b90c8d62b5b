//! What is never shown: the users, passwords and queries of URLs, and values of fields named for
//! secrets. Found in the text, not in what was understood of it, so that an error of syntax hides
//! them too.

use std::ops::Range;

/// Stands for a secret where text is shown.
pub(super) const MASK: &str = "***";

/// Words in the names of fields whose values are secrets.
const WORDS: [&str; 3] = ["secret", "password", "passwd"];

/// The secrets of a file, in order.
pub(super) fn in_file(text: &str) -> Vec<Range<usize>> {
    let mut found = in_urls(text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(value) = named_secret(line) {
            found.push(start + value.start..start + value.end);
        }
        start += line.len();
    }
    found.sort_by_key(|secret| secret.start);
    found
}

/// A text without the secrets of URLs in it.
pub(super) fn masked(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut end = 0;
    for secret in in_urls(text) {
        shown.push_str(text.get(end..secret.start).unwrap_or(""));
        shown.push_str(MASK);
        end = secret.end;
    }
    shown.push_str(text.get(end..).unwrap_or(""));
    shown
}

/// For each `://`: what stands before the last `@`, and what follows a `?`. A password may hold
/// characters that a URL may not, so that only quotes and the line's end end it.
fn in_urls(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, mark) in text.match_indices("://") {
        let start = at + mark.len();
        if found.last().is_some_and(|secret| at < secret.end) {
            continue;
        }
        let rest = text.get(start..).unwrap_or("");
        let end = rest.find(['"', '\'', '\n', '\r', '`']);
        let url = rest.get(..end.unwrap_or(rest.len())).unwrap_or("");
        let host = match url.rfind('@') {
            Some(0) | None => 0,
            Some(at) => {
                push(&mut found, text, start..start + at);
                at
            }
        };
        let query = url.get(host..).and_then(|rest| rest.find('?'));
        if let Some(query) = query {
            push(
                &mut found,
                text,
                start + host + query + 1..start + url.len(),
            );
        }
    }
    found
}

/// The value on a line `…secret… = value`.
fn named_secret(line: &str) -> Option<Range<usize>> {
    let (name, value) = line.split_once('=')?;
    let name = name.to_ascii_lowercase();
    if name.contains('#') || !WORDS.iter().any(|word| name.contains(word)) {
        return None;
    }
    let value = value.trim_end();
    let start = line.len() - line.split_once('=')?.1.len();
    let blanks = value.len() - value.trim_start().len();
    let inner = start + blanks..start + value.len();
    let text = line.get(inner.clone())?;
    let bare = text.trim_matches(['"', '\'']);
    if is_variable(bare) {
        return None;
    }
    (!inner.is_empty()).then_some(inner)
}

/// A variable by itself says nothing secret, and an error may be about it.
fn push(found: &mut Vec<Range<usize>>, text: &str, secret: Range<usize>) {
    let value = text.get(secret.clone()).unwrap_or("");
    let are_variables = value
        .split(':')
        .all(|part| part.is_empty() || is_variable(part));
    if !secret.is_empty() && !are_variables {
        found.push(secret);
    }
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
mod tests {
    use super::*;

    #[test]
    fn hides_users_passwords_and_queries_of_urls() {
        for (text, shown) in [
            ("redis://h:1/2", "redis://h:1/2"),
            ("redis://:pw@h:1", "redis://***@h:1"),
            ("\"redis://u:p/w@x@h\" b", "\"redis://***@h\" b"),
            ("redis+unix:///s?db=1&pass=pw", "redis+unix:///s?***"),
            ("redis://${U}:${P}@h", "redis://${U}:${P}@h"),
            ("redis://u:${P}@h", "redis://***@h"),
            ("${X:-redis://:pw@h}", "${X:-redis://***@h}"),
            ("redis://:a?b@h?c", "redis://***@h?***"),
            ("redis://:pé@h", "redis://***@h"),
        ] {
            assert_eq!(masked(text), shown);
        }
    }

    #[test]
    fn hides_values_of_fields_named_for_secrets() {
        let hidden = |text: &str| -> Vec<String> {
            let spans = in_file(text).into_iter();
            spans.map(|span| text[span].to_owned()).collect()
        };
        assert_eq!(hidden("a = 1\nhash_secret = \"x\"\n"), ["\"x\""]);
        assert_eq!(hidden("hash_secret = x y"), ["x y"]);
        assert!(hidden("hash_secret = \"${X}\"").is_empty());
        assert_eq!(hidden("hash_secret = \"${X:-abc}\"").len(), 1);
        assert!(hidden("hash_secret =").is_empty());
    }
}
