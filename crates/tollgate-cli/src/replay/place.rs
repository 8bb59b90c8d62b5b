//! Where a page may be written.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use tollgate_replay::log::Input;

use crate::usage::UsageError;

/// How a page of ours begins.
const BEGIN: &[u8] = b"<!doctype html>";
/// What stands near its end.
const END: &[u8] = b"Written by <code>tollgate replay</code>";
/// So near, in bytes: what follows is a script.
const NEAR: u64 = 1 << 16;

/// Refuses a page that could not be written when all has been read, or in whose place something stands
/// that would be lost: a log, the policy file, or any other file but a page of an earlier replay.
pub(super) fn check(page: &Path, logs: &[Input], policies: &Path) -> Result<(), UsageError> {
    let name = page.display();
    let directory = page
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    if let Some(directory) = directory.filter(|directory| !directory.is_dir()) {
        return Err(UsageError(format!(
            "there is no directory {} to write {name} to",
            directory.display()
        )));
    }
    if page.is_dir() {
        return Err(UsageError(format!(
            "{name} is a directory; name a file for the page"
        )));
    }
    let is_log = |input: &Input| matches!(input, Input::File(log) if is_same(page, log));
    let what = if logs.iter().any(is_log) {
        "a log"
    } else if is_same(page, policies) {
        "the policy file"
    } else if holds_something_else(page) {
        "there already, and no page of a replay"
    } else {
        return Ok(());
    };
    Err(UsageError(format!(
        "{name} is {what}, and --html would write over it; name another file"
    )))
}

/// True if two paths lead to the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// True if a file would be lost that no replay has written. Devices and pipes lose nothing.
fn holds_something_else(page: &Path) -> bool {
    match page.metadata() {
        Ok(found) if found.is_file() && found.len() > 0 => !is_page(page).unwrap_or(false),
        _ => false,
    }
}

fn is_page(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut begin = Vec::new();
    (&mut file)
        .take(BEGIN.len().try_into().unwrap_or(u64::MAX))
        .read_to_end(&mut begin)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(NEAR)))?;
    let mut end = Vec::new();
    file.take(NEAR).read_to_end(&mut end)?;
    Ok(begin == BEGIN && end.windows(END.len()).any(|bytes| bytes == END))
}
