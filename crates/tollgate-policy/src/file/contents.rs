//! What a file holds, or why that cannot be read.

use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 4 << 20;

/// The first bytes of texts in UTF-16, which some editors and shells write.
const UTF_16: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];

/// Why a file cannot be read, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// What is wrong, as the end of a sentence.
    pub(super) why: String,
    pub(super) help: String,
}

impl Unreadable {
    fn new(why: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            help: help.into(),
        }
    }

    /// In the words of people who look for a file, where it is one of the usual errors.
    fn of(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::new("there is no such file", "check its path"),
            ErrorKind::NotADirectory => Self::new(
                "a part of its path is a file, not a directory",
                "check each part of the path",
            ),
            ErrorKind::IsADirectory => Self::new(
                "it is a directory",
                "name the file in it, such as `DIRECTORY/tollgate.toml`",
            ),
            ErrorKind::PermissionDenied => Self::new(
                "permission is denied",
                "let the user that runs this read the file, and enter every directory above it",
            ),
            _ => Self::new(
                error.to_string(),
                "find out why the system cannot read it, then try again",
            ),
        }
    }
}

/// Reads a file as it is.
pub(super) fn of_file(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let file = std::fs::File::open(path).map_err(|error| {
        let mut unreadable = Unreadable::of(&error);
        if error.kind() == ErrorKind::NotFound && path.is_relative() {
            unreadable.help += ", which begins in the current directory";
        }
        unreadable
    })?;
    of_reader(file)
}

/// Reads a file that is looked at again and again. What is no regular file, such as a pipe, may make
/// a reader wait for ever, and is refused.
pub(super) fn of_regular_file(path: &Path) -> Result<Vec<u8>, Unreadable> {
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Err(Unreadable::new(
            "it is a pipe or a device, from which a change cannot be read",
            "name a regular file, or a link to one",
        ));
    }
    of_file(path)
}

/// Reads all that a reader has, unless it is too much.
pub(super) fn of_reader(reader: impl io::Read) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    reader
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Unreadable::of(&error))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_FILE) {
        return Err(Unreadable::new(
            format!("it is larger than {} MiB", MAX_FILE >> 20),
            "see whether it is the file that was meant: ten thousand policies are smaller",
        ));
    }
    Ok(bytes)
}

/// The text that the bytes of a file are.
pub(super) fn into_text(bytes: Vec<u8>) -> Result<String, Unreadable> {
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.as_bytes();
        if UTF_16.iter().any(|mark| bytes.starts_with(mark)) {
            return Unreadable::new("it is UTF-16", "save it as UTF-8");
        }
        let valid = error.utf8_error().valid_up_to();
        let before = bytes.get(..valid).unwrap_or(&[]);
        let line = before.split(|byte| *byte == b'\n').count();
        Unreadable::new(
            format!("line {line} is not UTF-8"),
            "save it as UTF-8, or write that line anew",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_of_the_system_has_a_remedy() {
        for (kind, why) in [
            (ErrorKind::PermissionDenied, "permission is denied"),
            (ErrorKind::IsADirectory, "it is a directory"),
            (ErrorKind::TimedOut, "timed out"),
        ] {
            let unreadable = Unreadable::of(&io::Error::from(kind));
            assert_eq!(unreadable.why, why);
            assert!(!unreadable.help.is_empty());
        }
    }
}
