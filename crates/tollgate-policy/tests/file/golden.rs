//! Files with what is said about them beside them: `wrong/NAME.toml` and `wrong/NAME.txt`.
//!
//! After a change of words, write all texts anew with `UPDATE_GOLDEN=1`, and read every one that
//! changed: could you mend the file by it, without the documentation?

use std::fs;
use std::path::{Path, PathBuf};

use tollgate_policy::file::{Diagnostics, PolicyFile};

pub(crate) fn environment(name: &str) -> Option<String> {
    let value = match name {
        "EMPTY" => "",
        "REDIS_PASSWORD" => "hunter2",
        "SECRET" => "correct horse battery staple",
        "MODE" => "shadowy",
        "URL" => "redis://:hunter2@redis.internal:6379",
        "WRONG_URL" => "rediz://:hunter2@redis.internal:6379",
        "KEYS" => "5000",
        "FEW" => "0",
        "PLAN" => "hunter2-gold",
        _ => return None,
    };
    Some(value.to_owned())
}

pub(crate) fn files(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/file")
        .join(directory);
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    files.sort();
    files
}

/// Compares what is said about each file with what stands beside it.
fn check(
    directory: &str,
    diagnose: fn(Result<PolicyFile, Diagnostics>) -> Result<Diagnostics, String>,
) {
    let is_update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut problems = Vec::new();
    for path in files(directory) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let said = match diagnose(PolicyFile::parse(&name, &text, &environment)) {
            Ok(found) => found.to_string(),
            Err(problem) => {
                problems.push(format!("{name}: {problem}"));
                continue;
            }
        };
        for secret in ["hunter2", "correct horse"] {
            assert!(!said.contains(secret), "{name} tells a secret:\n{said}");
        }
        let beside = path.with_extension("txt");
        if is_update {
            fs::write(&beside, &said).unwrap();
        }
        let expected = fs::read_to_string(&beside).unwrap_or_default();
        if said != expected {
            problems.push(format!("{name}: expected\n{expected}\nbut it says\n{said}"));
        }
    }
    assert!(
        problems.is_empty(),
        "{}\nIf the new words are better, UPDATE_GOLDEN=1 writes them; read them all.",
        problems.join("\n")
    );
}

#[test]
fn says_what_is_wrong_where_and_what_to_write() {
    assert!(files("wrong").len() >= 60);
    check("wrong", |read| match read {
        Ok(_) => Err("is taken for right".to_owned()),
        Err(found) => Ok(found),
    });
}

#[test]
fn warns_of_what_is_legal_and_unwise() {
    check("warned", |read| match read {
        Ok(file) if file.warnings.is_empty() => Err("has no warning".to_owned()),
        Ok(file) => Ok(file.warnings),
        Err(found) => Err(format!("is taken for wrong:\n{found}")),
    });
}
