//! Logs that are one and the same.

use std::io::{self, Read};

use super::Input;
use super::bytes::Bytes;

/// So much of each is compared, unpacked, in bytes.
const COMPARED: u64 = 1 << 16;

/// Two of some files that begin alike, for their first 64 KiB, unpacked, or as far as the shorter one
/// goes: the same log twice, of which each request would count twice. What can be read only once is not
/// looked at, and neither is what is empty or cannot be read, of which reading it tells.
#[must_use]
pub fn same_logs(inputs: &[Input]) -> Option<[&Input; 2]> {
    let files = inputs.iter().filter(|input| can_be_read_again(input));
    let begins = files.filter_map(|input| Some((begin(input).ok()?, input)));
    let mut begins: Vec<(Vec<u8>, &Input)> =
        begins.filter(|(begin, _)| !begin.is_empty()).collect();
    // One that begins as another one does stands right behind it, or behind others that do.
    begins.sort_by(|(one, _), (other, _)| one.cmp(other));
    begins.windows(2).find_map(|pair| match pair {
        [(one, first), (other, second)] if other.starts_with(one) => Some([*first, *second]),
        _ => None,
    })
}

fn can_be_read_again(input: &Input) -> bool {
    match input {
        Input::File(path) => path.is_file(),
        Input::Text { .. } => true,
        Input::StandardInput | Input::Opened { .. } => false,
    }
}

fn begin(input: &Input) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    let bytes = Bytes::open(input, None)?;
    bytes.reader.take(COMPARED).read_to_end(&mut begin)?;
    Ok(begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, bytes: &str) -> Input {
        Input::Text {
            name: name.to_owned(),
            bytes: bytes.into(),
        }
    }

    fn found(texts: &[&str]) -> Option<[String; 2]> {
        let names = ["a", "b", "c", "d"];
        let texts = names.iter().zip(texts);
        let inputs: Vec<Input> = texts.map(|(name, bytes)| text(name, bytes)).collect();
        same_logs(&inputs).map(|two| two.map(Input::name))
    }

    #[test]
    fn logs_that_begin_alike_are_the_same() {
        let both = |one: &str, other: &str| Some([one.to_owned(), other.to_owned()]);
        assert_eq!(found(&["one\n", "two\n", "three\n"]), None);
        assert_eq!(found(&["one\n", "", ""]), None);
        assert_eq!(found(&["one\n", "two\n", "one\n"]), both("a", "c"));
        // A log, and what it was some time ago.
        assert_eq!(found(&["one\ntwo\n", "one\n"]), both("b", "a"));
        let long = "x".repeat(100_000);
        assert_eq!(
            found(&[&format!("{long}a"), &format!("{long}b")]),
            both("a", "b")
        );
        assert_eq!(found(&[&format!("a{long}"), &format!("b{long}")]), None);
    }
}
