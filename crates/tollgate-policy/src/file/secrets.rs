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
    found.extend(named(text));
    found.sort_by_key(|secret| (secret.start, secret.end));
    // Each ends after the one before it, so that they can be searched.
    let mut end = 0;
    found.retain(|secret| {
        let is_new = secret.end > end;
        end = end.max(secret.end);
        is_new
    });
    found
}

/// The secrets that no message may tell, where it quotes a part of the text: values of fields that
/// are named for secrets, and passwords and the values of queries in URLs. A user is not, as many
/// are ordinary words.
pub(super) fn in_messages(text: &str) -> Vec<&str> {
    let of = |secret: Range<usize>| text.get(secret).unwrap_or("");
    let mut found: Vec<&str> = named(text).into_iter().map(of).collect();
    for secret in in_urls(text) {
        if text
            .get(..secret.start)
            .is_some_and(|before| before.ends_with('?'))
        {
            let pairs = of(secret).split('&');
            found.extend(pairs.map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value)));
        } else {
            found.extend(of(secret).split_once(':').map(|(_, password)| password));
        }
    }
    found.retain(|secret| !is_variable(secret));
    found
        .into_iter()
        .map(|secret| default_of(secret).unwrap_or(secret))
        .collect()
}

/// What stands for a variable that is not set, in `${NAME:-default}`.
fn default_of(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("${")?.strip_suffix('}')?;
    inner.split_once(":-").map(|(_, default)| default)
}

/// The values of fields that are named for secrets. A user of a URL may be named so
/// too; its password is found otherwise.
fn named(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut lower = text.to_ascii_lowercase();
    for user in users(text) {
        let blank = " ".repeat(user.len());
        lower.replace_range(user, &blank);
    }
    for word in WORDS {
        let ends = lower.match_indices(word).map(|(at, word)| at + word.len());
        found.extend(ends.filter_map(|end| value_after(text, end)));
    }
    found
}

/// True for the name of a variable whose value is probably a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = ["auth", "credential", "key", "pass", "secret", "token"];
    words.iter().any(|word| name.contains(word))
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

/// What stands in URLs before the last `@`, as far as they surely go.
fn users(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    text.match_indices("://").filter_map(move |(at, mark)| {
        if at < end {
            return None;
        }
        let start = at + mark.len();
        let rest = text.get(start..)?;
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
        let url = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
        end = start + url.len();
        Some(start..start + url.rfind('@')?)
    })
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

/// The value of a field whose name ends soon after `end`, inside its quotes. Colons are taken for
/// equals signs, because people mistake them.
fn value_after(text: &str, end: usize) -> Option<Range<usize>> {
    let rest = text.get(end..)?;
    let is_name =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '"' | '\'' | ' ' | '\t');
    let value = rest.trim_start_matches(is_name).strip_prefix(['=', ':'])?;
    let value = value.trim_start_matches([' ', '\t']);
    let quotes = ["\"\"\"", "\'\'\'", "\"", "'"];
    let quote = quotes.into_iter().find(|quote| value.starts_with(quote));
    let inner = value.strip_prefix(quote.unwrap_or(""))?;
    let length = match quote {
        Some(quote) if quote.len() == 3 => inner.find(quote).unwrap_or(inner.len()),
        // A quote inside is escaped, or is not: more is hidden rather than less.
        Some(quote) => {
            let line = inner.split(['\n', '\r']).next().unwrap_or("");
            let escaped = format!("\\{quote}");
            let close = if line.contains(&escaped) {
                line.rfind(quote)
            } else {
                line.find(quote)
            };
            close.unwrap_or(line.len())
        }
        None => inner.find(['\n', '\r', ',', '}']).unwrap_or(inner.len()),
    };
    let secret = inner.get(..length)?.trim_end();
    let start = text.len() - inner.len();
    (!secret.is_empty() && !is_variable(secret)).then(|| start..start + secret.len())
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
        assert_eq!(hidden("a = 1\nhash_secret = \"x\"\n"), ["x"]);
        assert_eq!(hidden("hash_secret = x y"), ["x y"]);
        assert!(hidden("hash_secret = \"${X}\"").is_empty());
        assert_eq!(hidden("hash_secret = \"${X:-abc}\"").len(), 1);
        assert!(hidden("hash_secret =").is_empty());
        assert_eq!(hidden("store = { hash_secret = 'x', prefix = 'p' }"), ["x"]);
        assert_eq!(hidden("hash_secret = \"\"\"a\nb\"\"\"\nc = 1"), ["a\nb"]);
        assert_eq!(hidden("hash_secret = \"a\\\"b\""), ["a\\\"b"]);
        assert_eq!(hidden("\"password\": \"x\","), ["x"]);
        assert_eq!(hidden("url=redis://h,hash_secret=\"p@w\""), ["p@w"]);
    }

    #[test]
    fn a_user_named_for_a_secret_hides_no_more_than_another() {
        for user in ["limits", "secret", "my-password"] {
            let text = format!("url = \"redis://{user}:pw@h:6379/0\"\n");
            let spans = in_file(&text);
            assert_eq!(spans.len(), 1, "{text}");
            assert_eq!(text.get(spans[0].clone()), Some(&*format!("{user}:pw")));
            assert_eq!(in_messages(&text), ["pw"]);
        }
    }

    #[test]
    fn messages_hide_passwords_and_not_users() {
        for (text, hidden) in [
            (
                "redis://default:pw@h/0?db=1&pass=pw2",
                &["pw", "1", "pw2"][..],
            ),
            ("redis://user@h", &[]),
            ("redis://user:${P}@h?${Q}", &[]),
            ("redis://user:${P:-abc}@h", &["abc"]),
            ("hash_secret = \"${X:-abc}\"", &["abc"]),
        ] {
            assert_eq!(in_messages(text), hidden, "{text}");
        }
    }
}
