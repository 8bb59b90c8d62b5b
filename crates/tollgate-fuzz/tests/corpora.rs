//! What searches have reached is reached again, and all is well.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tollgate_fuzz::TARGETS;

fn fuzz(directory: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz")
        .join(directory)
}

/// What stands in a directory, if it is there.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn nothing_is_wrong_with_any_known_input() {
    let mut wrong = Vec::new();
    for (name, target) in TARGETS {
        let reached = files(&fuzz("corpus").join(name));
        assert!(reached.len() >= 10, "{name} has a corpus");
        for file in [files(&fuzz("seeds").join(name)), reached].concat() {
            let data = fs::read(&file).unwrap();
            if catch_unwind(AssertUnwindSafe(|| target(&data))).is_err() {
                wrong.push(file);
            }
        }
    }
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

#[test]
fn every_target_has_a_program_and_every_corpus_a_target() {
    let names = |directory: &str| -> Vec<String> {
        let files = files(&fuzz(directory));
        let stems = files.iter().map(|path| path.file_stem().unwrap());
        stems
            .map(|stem| stem.to_string_lossy().into_owned())
            .collect()
    };
    let targets = TARGETS.map(|(name, _)| name);
    assert_eq!(names("fuzz_targets"), targets);
    assert_eq!(names("corpus"), targets);
    for directory in ["dictionaries", "seeds"] {
        let mut others = names(directory).into_iter();
        assert!(
            others.all(|name| targets.contains(&name.as_str())),
            "{directory}"
        );
    }
}
