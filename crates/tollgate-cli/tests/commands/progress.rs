//! Commands that read logs, where somebody looks.

use std::path::Path;

use crate::run::{Ended, shell};
use crate::traffic::directory;

/// Runs a command on a terminal.
fn on_terminal(logs: &Path, command: &str) -> Ended {
    let command = format!("script --quiet --return --command '{command}' /dev/null");
    shell(logs, &command)
}

#[test]
fn the_progress_is_drawn_on_a_terminal_and_taken_away() {
    let logs = directory("progress");
    // A log that does not end before something was drawn, however quickly it is read.
    let log =
        "cat access.log; for try in $(seq 600); do grep -aq second drawn && break; sleep 0.1; done";
    let command = format!("{{ {log}; }} | tollgate suggest > tollgate.toml");
    let command = format!("script --quiet --return --flush --command '{command}' drawn");
    let ended = shell(&logs, &command);
    assert_eq!(ended.code, 0, "{ended:?}");
    let drawn = &ended.output;
    assert!(
        drawn.contains(" lines, ") && drawn.contains(" a second"),
        "{drawn}"
    );
    // What comes next begins where the line was.
    let (_, after) = drawn.rsplit_once("\r\u{1b}[K").unwrap();
    assert!(!after.contains(" a second"), "{drawn}");
    let nobody = shell(&logs, "tollgate suggest access.log --output-format text");
    assert_eq!(nobody.errors, "");
}

#[test]
fn a_terminal_is_no_log() {
    let logs = directory("progress-terminal");
    for command in ["suggest", "replay", "diff a.toml b.toml"] {
        let ended = on_terminal(&logs, &format!("tollgate {command}"));
        assert_eq!(ended.code, 64, "{command}: {ended:?}");
        let message =
            "there is no log; name files, such as `/var/log/nginx/access.log*`, or pipe one in";
        assert!(ended.output.contains(message), "{command}: {ended:?}");
    }
}
