//! The word that was probably meant.

use super::report::quotation;

/// The most characters of a value that a message repeats.
const LONGEST: usize = 60;

/// Of some names the one that was probably meant by a word: it differs in letter case, `-`, `_` and
/// `.` only, or else in a slip or two.
pub fn nearest<'n>(names: impl IntoIterator<Item = &'n str>, word: &str) -> Option<&'n str> {
    let word = letters(word);
    if word.is_empty() {
        return None;
    }
    names
        .into_iter()
        // So many letters more or fewer are more than slips.
        .filter(|name| name.len().abs_diff(word.len()) <= name.len() / 2)
        .map(|name| (strsim::osa_distance(&letters(name), &word), name))
        .filter(|(slips, name)| *slips <= name.len() / 3 && *slips < word.chars().count())
        .min()
        .map(|(_, name)| name)
}

/// True if only letter case, `-`, `_`, `.` and a plural tell two words apart, or one letter that
/// is missing, left over or swapped.
pub(super) fn is_slip(name: &str, word: &str) -> bool {
    let (name, word) = (letters(name), letters(word));
    if name == word {
        return true;
    }
    if strsim::osa_distance(&name, &word) != 1 || name.chars().next() != word.chars().next() {
        return false;
    }
    name.len() != word.len() || sorted(&name) == sorted(&word)
}

fn letters(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_' | '.' | ' '))
        .flat_map(char::to_lowercase)
        .take(64)
        .collect()
}

fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Names for people: `a`, `b` or `c`.
pub(super) fn alternatives<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A value for a message: printable, and not endless. Secrets in it are not shown.
pub(super) fn quoted(value: &str) -> String {
    let printable = printable(value.chars().take(LONGEST));
    let dots = if value.chars().nth(LONGEST).is_some() {
        "..."
    } else {
        ""
    };
    format!("`{}`", quotation(&format!("{printable}{dots}")))
}

/// Characters as messages show them: without controls, which would move or hide what follows.
pub(super) fn printable(characters: impl Iterator<Item = char>) -> String {
    let escaped: String = characters.flat_map(char::escape_debug).collect();
    escaped.replace("\\'", "'").replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let names = ["limits", "match", "on_store_failure", "key"];
        assert_eq!(nearest(names, "limit"), Some("limits"));
        assert_eq!(nearest(names, "onStoreFailure"), Some("on_store_failure"));
        assert_eq!(nearest(names, "mtach"), Some("match"));
        assert_eq!(nearest(names, "keys"), Some("key"));
        assert_eq!(nearest(names, "zebra"), None);
        assert_eq!(nearest(names, ""), None);
    }

    #[test]
    fn a_slip_is_no_other_word() {
        assert!(is_slip("client.ip", "client_ip"));
        assert!(is_slip("method", "methd"));
        assert!(is_slip("path", "paths"));
        assert!(is_slip("path", "ptah"));
        assert!(!is_slip("host", "cost"));
        assert!(!is_slip("host", "hose"));
    }
}
