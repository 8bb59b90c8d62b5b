//! Secrets in text that is no TOML, or a comment: rather more is hidden than less.
//!
//! Every step is linear in the text.

use std::ops::Range;

use super::url::{in_url, passwords};
use super::{Secrets, is_url_name, is_variable};
use crate::secret_names::{sounds_secret, sounds_secret_or_key};

/// Names of fields that hold `key` and no secret.
const NO_SECRETS: [&str; 6] = [
    "key",
    "keys",
    "missing_key",
    "max_keys",
    "missing_keys",
    "max_key",
];

/// The longest rest of a URL on further lines, in bytes.
const LONGEST_URL: usize = 256;

/// What ends a name that it does not belong to.
const SEPARATORS: [char; 3] = [',', '{', '#'];

/// Adds what may be a secret; of what is TOML, in comments, and where URLs stand.
pub(super) fn find(text: &str, is_toml: bool, found: &mut Secrets) {
    let mut from = 0;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end_matches(['\r', '\n']).len();
        in_line(text, start..end, is_toml, found);
        let comment = text.get(start..end).and_then(|line| line.find('#'));
        let named = if is_toml {
            comment.map(|at| start + at)
        } else {
            Some(start)
        };
        if let Some(named) = named
            .map(|named| named.max(from))
            .filter(|named| *named < end)
        {
            from = in_fields(text, named..end, is_toml, found);
        }
        start += line.len();
    }
}

/// All between the first `://` of a line and its last `@`, and what follows a `?` or `#`.
pub(super) fn in_line(text: &str, line: Range<usize>, ends_at_quotes: bool, found: &mut Secrets) {
    let shown = text.get(line.clone()).unwrap_or("");
    let Some(mark) = shown.find("://") else {
        return;
    };
    let start = mark + 3;
    let url = shown.get(start..).unwrap_or("");
    // A query ends where its text does, of which more than one may be on the line.
    let host = url.rfind('@').unwrap_or(0);
    let quote = url.get(host..).and_then(|rest| rest.find(['"', '\'', '`']));
    let end = match quote {
        Some(quote) if ends_at_quotes => start + host + quote,
        _ => {
            start
                + url
                    .trim_end_matches([' ', '\t', ',', '"', '\'', ']', '}', '`'])
                    .len()
        }
    };
    let first = shown.get(..mark).unwrap_or("");
    let letters =
        first.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let whole = letters.len()..end.max(letters.len());
    let url = shown.get(whole.clone()).unwrap_or("");
    let begin = line.start + whole.start;
    found.spans.extend(
        in_url(url)
            .into_iter()
            .map(|secret| begin + secret.start..begin + secret.end),
    );
    passwords(url)
        .into_iter()
        .for_each(|password| found.hide(password));
}

/// The values of fields on a line that are named for secrets. Gives where looking goes on, which is
/// on a later line if a value is not over. Colons are taken for equals signs, because people mistake
/// them.
fn in_fields(text: &str, line: Range<usize>, is_comment: bool, found: &mut Secrets) -> usize {
    let mut name_start = line.start;
    let mut is_in_quotes = false;
    // What stands before it is a value that has been looked at.
    let mut from = line.start;
    // Whether all after some place is hidden already: looking again would take time for nothing.
    let mut is_rest_hidden = false;
    let mut is_url_hidden = false;
    for (at, character) in text.get(line.clone()).unwrap_or("").char_indices() {
        let at = line.start + at;
        if at < from {
            continue;
        }
        match character {
            '"' | '\'' => is_in_quotes = !is_in_quotes,
            '=' | ':' => {
                let name = text.get(name_start..at).unwrap_or("");
                let rest = at + 1..line.end;
                if is_url_name(name) {
                    if !is_url_hidden {
                        let end = value(text, rest, true, is_comment, found);
                        is_url_hidden = end >= line.end;
                    }
                } else if is_secret(name) {
                    let is_of_line = is_comment || is_simple(text, &rest);
                    if !(is_of_line && is_rest_hidden) {
                        let end = value(text, rest, false, is_comment, found);
                        is_rest_hidden = is_of_line && end >= line.end;
                        // What goes on below may begin on the rest of the line.
                        if !is_rest_hidden {
                            from = end;
                        }
                    }
                }
                name_start = from.max(at + 1);
                is_in_quotes = false;
            }
            _ if SEPARATORS.contains(&character) && !is_in_quotes => name_start = at + 1,
            _ => {}
        }
    }
    from.max(line.end)
}

/// Whether what stands before a sign names a secret. What is escaped may be anything.
fn is_secret(name: &str) -> bool {
    let name = name.trim();
    if name.contains('\\') {
        return true;
    }
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let unquoted = name.trim_end_matches(|c| !is_of_word(c));
    let before = unquoted.trim_end_matches(is_of_word);
    let last = unquoted.get(before.len()..).unwrap_or("");
    if !NO_SECRETS.contains(&last.to_ascii_lowercase().as_str()) {
        return sounds_secret_or_key(name);
    }
    // `api.key` is another than `key`.
    before.trim_end().ends_with('.') && sounds_secret(name)
}

/// Whether a value ends on its line, whatever it is.
fn is_simple(text: &str, rest: &Range<usize>) -> bool {
    let value = text.get(rest.clone()).unwrap_or("").trim();
    !value.is_empty() && !value.starts_with(['"', '\'', '[', '{', '|', '>', '#'])
}

/// Hides a value, and all that may belong to it. Gives where it ends.
fn value(
    text: &str,
    rest: Range<usize>,
    is_url: bool,
    is_comment: bool,
    found: &mut Secrets,
) -> usize {
    let line = text.get(rest.clone()).unwrap_or("");
    let begin = rest.start + (line.len() - line.trim_start().len());
    let line = line.trim();
    for quotes in ["\"\"\"", "'''"] {
        if let (Some(inner), false) = (
            text.get(begin..).and_then(|rest| rest.strip_prefix(quotes)),
            is_comment,
        ) {
            let start = begin + quotes.len();
            let end = start + inner.find(quotes).unwrap_or(inner.len());
            hide(text, start..end, is_url, found);
            return line_end(text, (end + quotes.len()).min(text.len()), found);
        }
    }
    let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    if let Some(quote) = quote
        && let Some(inner) = line.get(1..)
        && let Some(close) = inner.find(quote)
    {
        let after = inner.get(close + 1..).unwrap_or("").trim_start();
        let is_over =
            after.trim_matches([',', '}', ']', ' ', '\t']).is_empty() || after.starts_with('#');
        if is_over && !inner.get(..close).unwrap_or("").contains('\\') {
            let end = begin + 1 + close;
            hide(text, begin + 1..end, is_url, found);
            return end + 1;
        }
    }
    let end = if is_comment || is_simple(text, &rest) {
        rest.end
    } else {
        next_field(text, rest.end, is_url)
    };
    let begin = begin + quote.map_or(0, char::len_utf8);
    let all = text.get(begin..end).unwrap_or("").trim_end();
    hide(text, begin..begin + all.len(), is_url, found);
    end
}

fn line_end(text: &str, from: usize, found: &mut Secrets) -> usize {
    let rest = text.get(from..).unwrap_or("");
    let end = from + rest.find('\n').unwrap_or(rest.len());
    // Whether the text has really ended, is not known.
    let line = text.get(from..end).unwrap_or("").trim_end();
    if !line
        .trim_matches([',', '}', ']', '"', '\'', ' ', '\t', '\r'])
        .is_empty()
    {
        found.spans.push(from..from + line.len());
    }
    end
}

fn hide(text: &str, span: Range<usize>, is_url: bool, found: &mut Secrets) {
    let value = text.get(span.clone()).unwrap_or("");
    if is_url {
        let secrets = in_url(value).into_iter();
        found
            .spans
            .extend(secrets.map(|secret| span.start + secret.start..span.start + secret.end));
        passwords(value)
            .into_iter()
            .for_each(|password| found.hide(password));
    } else if !value.is_empty() && !is_variable(value) {
        found.push_secret(span, value);
        let is_between = |c: char| c.is_whitespace() || "\"',[]{}=".contains(c);
        value.split(is_between).for_each(|word| found.hide(word));
    }
}

/// Where the next line begins that is a field or the header of a table. A URL is not over so many
/// lines: it is looked at again for what else stands there.
fn next_field(text: &str, from: usize, is_url: bool) -> usize {
    let most = if is_url { LONGEST_URL } else { text.len() };
    let mut start = from;
    for (number, line) in text
        .get(from..)
        .unwrap_or("")
        .split_inclusive('\n')
        .enumerate()
    {
        if number > 0 && (begins_field(line.trim()) || start - from > most) {
            return start;
        }
        start += line.len();
    }
    text.len()
}

fn begins_field(line: &str) -> bool {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let header = line.trim_start_matches('[');
    let name = header.trim_start_matches(is_bare);
    if header.len() < line.len() {
        return name.len() < header.len() && name.starts_with(']');
    }
    name.len() < line.len() && name.trim_start().starts_with(['=', ':'])
}
