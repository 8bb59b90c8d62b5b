//! What of a message is quoted from a file or its environment, and what are fixed words.
//!
//! Secrets are hidden in quotations only: a fixed word that was hidden would tell that it is the
//! secret. Quotations are marked where they enter a message, by characters that no text has.

use super::mask::Mask;
use crate::file::invisible::visible;
use crate::file::secrets;

const BEGIN: char = '\u{fdd0}';
const END: char = '\u{fdd1}';
/// What follows it is no part of the message: the value that the whole message is about.
const ABOUT: char = '\u{fdd2}';

/// A part of a message that is quoted.
pub(in crate::file) fn quotation(text: &str) -> String {
    format!("{BEGIN}{text}{END}")
}

/// A text whose quotations are taken for fixed words.
pub(in crate::file) fn fixed(text: &str) -> String {
    text.replace([BEGIN, END], "")
}

/// Words of somebody else, who does not mark what they quote of `value`. If a secret is in that, it is
/// hidden everywhere in them, because they may quote it in another form.
pub(in crate::file) fn about(words: &str, value: &str) -> String {
    format!("{words}{ABOUT}{value}")
}

/// A message as it is shown.
pub(super) fn shown(message: &str, mask: &Mask<'_>) -> String {
    visible(&without_secrets(message, mask))
}

fn without_secrets(message: &str, mask: &Mask<'_>) -> String {
    let hidden = |text: &str| mask.masked(&secrets::masked(text));
    if let Some((words, value)) = message.split_once(ABOUT) {
        let words = fixed(words);
        if mask.concerns(value) || secrets::masked(value) != value || value.contains('`') {
            return hidden(&words);
        }
        let pieces = words.split('`').enumerate().map(|(number, piece)| {
            let is_quoted = number % 2 == 1 && value.contains(piece);
            if is_quoted {
                hidden(piece)
            } else {
                piece.to_owned()
            }
        });
        return pieces.collect::<Vec<_>>().join("`");
    }
    let mut shown = String::with_capacity(message.len());
    let mut pieces = message.split(BEGIN);
    shown.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        let (quoted, fixed) = piece.split_once(END).unwrap_or((piece, ""));
        shown.push_str(&hidden(quoted));
        shown.push_str(fixed);
    }
    shown.replace(END, "")
}

#[cfg(test)]
mod tests {
    use super::super::mask::Hidden;
    use super::*;

    fn said(message: &str) -> String {
        let mut hidden = Hidden::default();
        hidden.insert("policy");
        shown(message, &hidden.mask())
    }

    #[test]
    fn hides_secrets_in_quotations_and_nowhere_else() {
        let quoted = quotation("a policy");
        assert_eq!(said(&format!("policy `{quoted}` is")), "policy `a ***` is");
        let quoted = quotation("redis://u:p@h");
        let help = "write `redis://:PASSWORD@HOST`";
        assert_eq!(
            said(&format!("`{quoted}`, {help}")),
            format!("`redis://***@h`, {help}")
        );
        assert_eq!(said("policy"), "policy");
    }

    #[test]
    fn hides_secrets_in_words_about_a_value_that_has_them() {
        assert_eq!(said(&about("policy `x` is", "x")), "policy `x` is");
        assert_eq!(said(&about("`policy` is", "policy")), "`***` is");
        assert_eq!(said(&about("`a policy` is", "b policy")), "`a ***` is");
    }

    #[test]
    fn a_quotation_that_has_lost_its_end_goes_on() {
        assert_eq!(said("\u{fdd0}a policy"), "a ***");
        assert_eq!(said("a\u{fdd1} b"), "a b");
    }
}
