//! Completions and manuals.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::transcript::shell;

fn printed(command: &str) -> String {
    let output = shell(command).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that there are, as the help lists them.
fn commands() -> Vec<String> {
    let help = printed("tollgate --help");
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let commands = lines.filter_map(|line| line.split_whitespace().next());
    let commands: Vec<String> = commands.map(ToOwned::to_owned).collect();
    assert!(commands.len() >= 5 && commands.iter().any(|command| command == "check"));
    commands
}

/// Their options, as their help lists them.
fn options() -> BTreeSet<String> {
    let mut helps: Vec<String> = commands()
        .iter()
        .map(|command| printed(&format!("tollgate {command} --help")))
        .collect();
    helps.push(printed("tollgate --help"));
    let lines = helps.iter().flat_map(|help| help.lines());
    let options: BTreeSet<String> = lines
        .filter_map(|line| {
            let line = line.trim_start();
            let line = line.strip_prefix("-h, ").unwrap_or(line);
            let line = line.strip_prefix("-V, ").unwrap_or(line);
            let option = line.split([' ', '=', '[']).next()?;
            option.starts_with("--").then(|| option.to_owned())
        })
        .collect();
    assert!(
        options.len() >= 12 && options.contains("--attr"),
        "{options:?}"
    );
    options
}

/// Without what protects signs from the typesetter.
fn unescaped(page: &str) -> String {
    page.replace("\\-", "-")
}

#[test]
fn every_shell_completes_every_command_and_option() {
    let (commands, options) = (commands(), options());
    for name in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&format!("tollgate completions {name}"));
        for word in &commands {
            assert!(script.contains(word), "{name}: {word}");
        }
        for option in &options {
            let long = option.trim_start_matches('-');
            assert!(script.contains(long), "{name}: {option}");
        }
    }
}

#[test]
fn bash_takes_its_completions() {
    let output = shell("tollgate completions bash | bash -n")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let offered = printed(
        "bash -c 'eval \"$(tollgate completions bash)\"; COMP_WORDS=(tollgate check --de); COMP_CWORD=2; _tollgate tollgate --de check; echo \"${COMPREPLY[@]}\"'",
    );
    assert_eq!(offered.trim(), "--deny-warnings");
}

#[test]
fn the_manual_is_about_every_command_and_option() {
    let (commands, options) = (commands(), options());
    let page = unescaped(&printed("tollgate man"));
    for word in &commands {
        assert!(
            page.contains(&format!("TOLLGATE {}", word.to_uppercase())),
            "{word}"
        );
    }
    for option in &options {
        assert!(page.contains(&format!("\\fB{option}\\fR")), "{option}");
    }
    // One page has one title, and sections of commands are parts of theirs.
    assert_eq!(page.matches("\n.SH SYNOPSIS").count(), 1, "{page}");
    assert_eq!(
        page.matches("\n.SS SYNOPSIS").count(),
        commands.len(),
        "{page}"
    );
    assert_eq!(page.matches("\n.TH ").count(), 1, "{page}");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let (commands, options) = (commands(), options());
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    fs::create_dir_all(&directory).unwrap();
    assert_eq!(
        printed(&format!("tollgate man {}", directory.display())),
        ""
    );
    let mut all = fs::read_to_string(directory.join("tollgate.1")).unwrap();
    for word in &commands {
        assert!(
            all.contains(&format!("tollgate\\-{word}(1)")),
            "{word}: {all}"
        );
    }
    for word in &commands {
        all += &fs::read_to_string(directory.join(format!("tollgate-{word}.1"))).unwrap();
    }
    let all = unescaped(&all);
    for option in &options {
        assert!(all.contains(option), "{option}");
    }
}

#[test]
fn no_summary_ends_with_a_full_stop() {
    for command in commands() {
        let help = printed(&format!("tollgate {command} -h"));
        let summary = help.lines().next().unwrap();
        assert!(!summary.is_empty() && !summary.ends_with('.'), "{help}");
    }
    let help = printed("tollgate --help");
    let stops: Vec<&str> = help.lines().filter(|line| line.ends_with('.')).collect();
    assert_eq!(stops, [""; 0]);
}
