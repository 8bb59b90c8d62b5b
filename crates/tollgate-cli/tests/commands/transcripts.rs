//! The commands print what is written down.
//!
//! After a change of words, write all transcripts anew with `UPDATE_GOLDEN=1`, and read every one
//! that changed.

use std::fs;
use std::path::Path;

use crate::transcript::{check, workspace};

#[test]
fn prints_what_is_written_down() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let paths = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"));
    let mut count = 0;
    for path in paths {
        check(&path);
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn the_guide_shows_what_is_printed() {
    check(&workspace().join("docs/cli.md"));
}
