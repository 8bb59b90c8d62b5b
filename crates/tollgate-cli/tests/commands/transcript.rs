//! Texts of commands and what they print: `$ tollgate …`, and below it the output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What stands for passwords, secrets and keys in the tests, and must never be printed.
pub(crate) const SECRETS: [&str; 3] = ["hunter2", "correct horse", "sk-1234"];

/// What policy files of the tests take from the environment.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("URL", "redis://:hunter2@redis.internal:6379"),
    ("SECRET", "correct horse battery staple"),
    ("KEYS", "5000"),
    ("PLAN_TOKEN", "hunter2-gold"),
];

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// A shell in the root of the repository, where `tollgate` is this one.
pub(crate) fn shell(command: &str) -> Command {
    shell_in(&workspace(), command)
}

/// A shell in a directory, where `tollgate` is this one.
pub(crate) fn shell_in(directory: &Path, command: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_tollgate"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .current_dir(directory)
        .env_clear()
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .envs(ENVIRONMENT);
    shell
}

/// What a command prints, on both outputs, and how it ends if that is not well.
fn printed(directory: &Path, command: &str) -> String {
    let mut shell = shell_in(directory, &format!("exec 2>&1; {command}"));
    let output = shell.output().unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    match output.status.code() {
        Some(0) => {}
        code => text.push_str(&format!("(ends with {})\n", code.unwrap())),
    }
    for secret in SECRETS {
        // What was typed is no secret.
        assert!(!text.contains(secret), "{command} tells a secret:\n{text}");
    }
    text
}

/// The text with what the commands in it print now.
fn rewritten(directory: &Path, text: &str) -> String {
    let mut now = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        now.push_str(line);
        now.push('\n');
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut command = command.to_owned();
        while is_unfinished(&command)
            && let Some(more) = lines.next()
        {
            now.push_str(more);
            now.push('\n');
            command = format!("{command}\n{more}");
        }
        now.push_str(&printed(directory, &command));
        // What was printed before ends where the next command begins, or the text.
        while lines.peek().is_some_and(|line| !line.starts_with("$ ")) {
            lines.next();
        }
        if lines.peek().is_some() {
            now.push('\n');
        }
    }
    now
}

/// True if a command goes on in the next line: after a backslash, or in a text that `END` ends.
fn is_unfinished(command: &str) -> bool {
    let is_text = command.contains("<<'END'") && !command.ends_with("\nEND");
    command.ends_with('\\') || is_text
}

/// The text of a page, in which transcripts are blocks of the kind `console`.
fn rewritten_page(directory: &Path, page: &str) -> String {
    let mut now = String::new();
    let mut rest = page;
    while let Some((before, block)) = rest.split_once("```console\n") {
        let (block, after) = block.split_once("```\n").unwrap();
        now.push_str(before);
        now.push_str("```console\n");
        now.push_str(&rewritten(directory, block));
        now.push_str("```\n");
        rest = after;
    }
    now + rest
}

/// Holds a file to what commands print in the root of the repository, or writes it anew.
pub(crate) fn check(path: &Path) {
    check_in(&workspace(), path);
}

/// Holds a file to what commands print in a directory, or writes it anew.
pub(crate) fn check_in(directory: &Path, path: &Path) {
    let said = fs::read_to_string(path).unwrap();
    let is_page = path.extension().is_some_and(|extension| extension == "md");
    let now = if is_page {
        rewritten_page(directory, &said)
    } else {
        rewritten(directory, &said)
    };
    assert!(now.contains("$ ") && now.contains("tollgate "));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, &now).unwrap();
        return;
    }
    assert!(
        said == now,
        "{} says\n{said}\nbut now it is\n{now}\nIf that is right, UPDATE_GOLDEN=1 writes it; read all that changed.",
        path.display()
    );
}
