//! The report at a terminal.

use std::path::Path;

use textwrap::core::display_width;
use tollgate_replay::render::{TextOptions, text};
use tollgate_replay::report::Report;

use crate::fixtures;

fn plain(report: &Report, width: usize) -> String {
    let colour = false;
    text(report, &TextOptions { width, colour })
}

fn coloured(report: &Report, width: usize) -> String {
    let colour = true;
    text(report, &TextOptions { width, colour })
}

/// What is left without sequences that colour.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap();
        assert!(
            code.chars().all(|c| c.is_ascii_digit() || c == ';'),
            "{code}"
        );
        plain.push_str(rest);
    }
    plain
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for (name, report) in fixtures::all() {
        for (width, most) in [
            (0, 50),
            (50, 50),
            (63, 63),
            (80, 80),
            (120, 120),
            (1_000, 120),
        ] {
            for text in [plain(&report, width), coloured(&report, width)] {
                let widest = text.lines().max_by_key(|line| display_width(line)).unwrap();
                assert!(display_width(widest) <= most, "{name} in {width}: {widest}");
            }
        }
    }
}

#[test]
fn colours_add_nothing_but_colours() {
    for (name, report) in fixtures::all() {
        let coloured = coloured(&report, 80);
        assert_eq!(without_colours(&coloured), plain(&report, 80), "{name}");
        assert!(coloured.contains("\x1b["), "{name}");
        // No colour goes on at the end of a line, where a pager would take it along.
        for line in coloured.lines() {
            let last = line.rsplit_once("\x1b[").map(|(_, rest)| rest);
            assert!(
                last.is_none_or(|rest| rest.starts_with("0m")),
                "{name}: {line:?}"
            );
        }
    }
}

#[test]
fn nobody_elses_text_moves_the_cursor_or_hides() {
    for (name, report) in fixtures::all() {
        let text = plain(&report, 80);
        let hidden = |c: &char| *c != '\n' && tollgate_policy::file::is_invisible(*c);
        assert_eq!(text.chars().find(hidden), None, "{name}");
    }
    let text = plain(&fixtures::extreme(), 120);
    assert!(text.contains("\\u{202e}gnp.exe"), "{text}");
}

#[test]
fn the_verdict_comes_first_and_warnings_before_policies() {
    let text = plain(&fixtures::partial(), 100);
    let place = |words: &str| {
        text.find(words)
            .unwrap_or_else(|| panic!("{words}: {text}"))
    };
    assert_eq!(
        place("14.9% of 715,125 requests from 2026-05-04 00:00:01"),
        0
    );
    assert!(place("warning: Reading was interrupted") < place("warning: warning number 0"));
    for number in 0..fixtures::WARNINGS.len() {
        let warning = place(&format!("warning: warning number {number}:"));
        assert!(warning < place("Policy login"), "{text}");
    }
    assert!(place("Policy search") < place("What was read"));
}

#[test]
fn a_report_of_nothing_says_so() {
    let text = plain(&fixtures::empty(), 80);
    assert!(text.starts_with("There is no line in 1 log.\n"), "{text}");
    let text = plain(&fixtures::allowed(), 80);
    assert!(
        text.starts_with("The only request at 2026-05-04 10:00:00 UTC would have been allowed.\n"),
        "{text}"
    );
}

#[test]
fn when_keys_were_denied_last_stays_where_the_paper_is_narrow() {
    let one_day = fixtures::rich();
    let mut several_days = fixtures::rich();
    several_days.to = Some("2026-05-06T23:59:58Z".to_owned());
    for (report, width) in [(one_day, 80), (several_days, 100)] {
        let text = plain(&report, width);
        let heads = text.lines().map(str::trim_start);
        let heads: Vec<_> = heads
            .filter(|line| line.starts_with("worst keys"))
            .collect();
        assert_eq!(heads.len(), 3);
        let all = heads.iter().all(|head| head.contains("last denial"));
        assert!(all, "{text}");
    }
}

#[test]
fn instants_are_said_to_be_utc() {
    let text = plain(&fixtures::rich(), 80);
    for said in [
        "First denial 13:52:11, last 16:40:02 UTC.",
        "Times are exact to 1 s, and shown in UTC.",
    ] {
        assert!(text.contains(said), "{text}");
    }
}

/// The whole, for who changes it to see what becomes of it.
#[test]
fn is_as_it_was() {
    let text = plain(&fixtures::rich(), 80);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render/rich.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&kept, &text).unwrap();
    }
    let kept = std::fs::read_to_string(kept).unwrap();
    assert!(kept == text, "UPDATE_GOLDEN=1 writes rich.txt:\n{text}");
}
