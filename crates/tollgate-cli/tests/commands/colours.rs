//! Colours and width, where somebody looks.

use crate::transcript::shell;

const COMMAND: &str = "cd crates/tollgate-policy/tests/file/warned && tollgate check burst.toml";

/// What a command writes to a terminal of some columns.
fn on_terminal(columns: u32, before: &str) -> String {
    let command = format!(
        "script --quiet --return --command 'stty rows 24 columns {columns}; {before} {COMMAND}' /dev/null"
    );
    let output = shell(&command).env("TERM", "xterm").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    // A terminal begins lines anew by itself.
    String::from_utf8(output.stdout)
        .unwrap()
        .replace("\r\n", "\n")
}

fn piped() -> String {
    let output = shell(COMMAND).env("TERM", "xterm").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn are_for_terminals_and_for_those_who_want_them() {
    let coloured = on_terminal(100, "");
    assert!(coloured.contains("\x1b[1;33mwarning:\x1b[0m"), "{coloured}");
    assert!(coloured.contains("\x1b[36mlimits\x1b[0m"), "{coloured}");
    assert_eq!(on_terminal(100, "export NO_COLOR=1;"), piped());
    assert_eq!(on_terminal(100, "export TERM=dumb;"), piped());
    // As no-color.org has it, an empty value means nothing.
    assert_eq!(on_terminal(100, "export NO_COLOR=;"), coloured);
}

#[test]
fn rows_are_as_wide_as_the_terminal() {
    let narrow = on_terminal(60, "export NO_COLOR=1;");
    let (_, rows) = narrow.split_once("can be used").unwrap();
    assert!(rows.lines().all(|line| line.len() <= 60), "{narrow}");
    assert!(piped().lines().any(|line| line.len() > 80));
}

#[test]
fn rows_are_as_wide_as_columns_says() {
    let widest = |columns: &str| {
        let output = shell(COMMAND).env("COLUMNS", columns).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let (_, rows) = text.split_once("can be used").unwrap();
        rows.lines().map(str::len).max().unwrap()
    };
    assert!((50..=60).contains(&widest("60")));
    assert!(widest("120") > widest("80"));
    for nonsense in ["", "0", "wide", "-1"] {
        assert_eq!(widest(nonsense), widest("100"), "{nonsense:?}");
    }
}

#[test]
fn of_try_and_explain_too() {
    for (command, coloured) in [
        ("echo 0 | tollgate try 1/s", "\x1b[32mallow\x1b[0m"),
        (
            "tollgate explain crates/tollgate-policy/tests/file/right/least.toml --attr path=/",
            "\x1b[1mresponse\x1b[0m",
        ),
    ] {
        let shown = |before: &str| {
            let command =
                format!("script --quiet --return --command '{before} {command}' /dev/null");
            let output = shell(&command).env("TERM", "xterm").output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        assert!(shown("").contains(coloured), "{command}");
        let plain = shown("export NO_COLOR=1;");
        assert!(!plain.contains('\x1b') && !plain.is_empty(), "{plain}");
    }
}
