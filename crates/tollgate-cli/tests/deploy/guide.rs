//! What the guide to operation says of the command.

use crate::support::{read, tollgate, variables};

#[test]
fn the_guide_names_options_and_variables_that_there_are() {
    let guide = read("docs/daemon/operations.md");
    let output = |command| {
        let output = tollgate(&[command, "--help"]).env_clear().output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let help = output("serve") + &output("probe");
    let mut options = 0;
    for word in guide.split(|it: char| !it.is_ascii_alphanumeric() && it != '-' && it != '_') {
        // Those of other commands stand beside these.
        const OTHERS: [&str; 6] = [
            "--now",
            "--help",
            "--release",
            "--no-default-features",
            "--from-literal",
            "--unix-socket",
        ];
        if OTHERS.contains(&word) || word.chars().all(|it| it == '-') {
            continue;
        }
        if word.starts_with("--") {
            assert!(
                help.contains(&format!("{word} ")) || help.contains(&format!("{word}\n")),
                "{word}"
            );
            options += 1;
        } else if word.starts_with("TOLLGATE_") {
            // Secrets are told of beside the files that they can be in.
            let is_told = help.contains(&format!("variable `{word}`"));
            assert!(is_told || variables().contains(word), "{word}");
        }
    }
    assert!(options > 20);
}

#[test]
fn the_guide_knows_what_is_so_unless_said() {
    let guide = read("docs/daemon/operations.md");
    let help = tollgate(&["serve", "--help"]).env_clear().output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for (option, value, told) in [
        ("--http", "127.0.0.1:7070", "| `127.0.0.1:7070` |"),
        ("--grpc", "127.0.0.1:7071", "| `127.0.0.1:7071` |"),
        ("--redis", "127.0.0.1:7072", "| `127.0.0.1:7072` |"),
        ("--max-connections ", "10000", "| 10 000 for each address |"),
        ("--max-requests", "10000", "| 10 000 for each surface |"),
        (
            "--max-request-memory",
            "33554432",
            "| 32 MiB each for HTTP and gRPC, 64 KiB more for each connection |",
        ),
        ("--idle-timeout", "5m", "| 5 min |"),
        (
            "--drain-delay",
            "1s",
            "For `--drain-delay`, 1 s unless said",
        ),
        ("--drain ", "10s", "for at most `--drain`, 10 s unless said"),
    ] {
        let (_, after) = help.split_once(&format!("      {option}")).unwrap();
        let (_, after) = after.split_once("[default: ").unwrap();
        assert!(after.starts_with(&format!("{value}]")), "{option}");
        assert!(guide.contains(told), "{told}");
    }
}
