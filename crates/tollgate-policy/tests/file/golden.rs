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

/// Words that stand in messages by themselves, and are passwords too.
const ORDINARY: [&str; 14] = [
    "policy",
    "limits",
    "pass",
    "secret",
    "write",
    "client.ip",
    "10/min",
    "path",
    "field",
    "fixed-window",
    "quotes",
    "time",
    "redis",
    "error",
];

#[test]
fn no_message_tells_by_what_it_hides_that_a_password_is_an_ordinary_word() {
    let said = |text: &str, password: &str| {
        let text = format!("{text}\n[store]\nurl = \"redis://user:{password}@redis\"\n");
        let found = match PolicyFile::parse("test.toml", &text, &environment) {
            Ok(file) => file.warnings,
            Err(found) => found,
        };
        let words = found
            .iter()
            .map(|one| (one.message.clone(), one.help.clone()));
        words.collect::<Vec<_>>()
    };
    let mut compared = 0;
    for path in files("wrong").into_iter().chain(files("warned")) {
        let text = fs::read_to_string(&path).unwrap();
        if text.contains("[store]") || text.contains("store =") {
            continue;
        }
        // What a value of the file says is hidden where it is quoted, also if it is a part of a word.
        let quoted = text.split(['"', '\'']).skip(1).step_by(2);
        let unquoted = text
            .lines()
            .filter_map(|line| line.split(['=', ':']).nth(1));
        let values: Vec<&str> = quoted.chain(unquoted).collect();
        let is_value = |word: &&str| {
            let parts = word
                .get(..6)
                .into_iter()
                .chain(word.get(word.len().saturating_sub(6)..));
            let mut parts = parts.chain([*word]);
            parts.any(|part| values.iter().any(|value| value.contains(part)))
        };
        for word in ORDINARY.into_iter().filter(|word| !is_value(word)) {
            let quoted = said(&text, "Zq7xKv93WjQ8");
            let path = path.display();
            assert_eq!(said(&text, word), quoted, "{word} in {path}");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}
