//! The page in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde::Deserialize;
use tollgate_replay::render::html;

use crate::fixtures;

/// What the browser saw of one page in one view: `browser/look.mjs` says it.
#[derive(Debug, Deserialize)]
struct Seen {
    page: String,
    view: String,
    console: Vec<String>,
    requests: Vec<String>,
    dialogs: u64,
    title: String,
    text: String,
    scripts: u64,
    handlers: u64,
    overflows: Vec<String>,
    collisions: Vec<String>,
    unseen: Vec<String>,
    values: Option<Values>,
    tables: Option<Tables>,
    rules: Option<u64>,
    violations: Option<Vec<String>>,
    pages: Option<u64>,
}

/// What a chart says when it is pointed at, and by the keys.
#[derive(Debug, Deserialize)]
struct Values {
    pointed: String,
    last: String,
    before: String,
}

/// What the button has opened.
#[derive(Debug, Deserialize)]
struct Tables {
    open: u64,
    name: String,
}

#[derive(Debug, Deserialize)]
struct Looked {
    seen: Vec<Seen>,
}

/// All pages in all views. The browser starts once.
static SEEN: LazyLock<Vec<Seen>> = LazyLock::new(|| {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/browser");
    assert!(
        modules.exists(),
        "missing: {}; run scripts/browser",
        modules.display()
    );
    let chromium = chromium();
    assert!(
        chromium.exists(),
        "missing: {}; on Debian, as root: apt-get install chromium",
        chromium.display()
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, report) in fixtures::all() {
        std::fs::write(folder.join(format!("{name}.html")), html(&report)).unwrap();
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render/browser/look.mjs");
    let output = Command::new("node")
        .args([&program, &modules, &folder])
        .env("TOLLGATE_CHROMIUM", chromium)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let looked: Looked = serde_json::from_slice(&output.stdout).unwrap();
    looked.seen
});

/// Debian's, or the one that is named.
fn chromium() -> PathBuf {
    let named = std::env::var_os("TOLLGATE_CHROMIUM");
    named.map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from)
}

/// The views of a page.
fn views(page: &str) -> impl Iterator<Item = &'static Seen> {
    SEEN.iter().filter(move |seen| seen.page == page)
}

#[test]
fn every_page_is_seen_in_every_view() {
    assert_eq!(SEEN.len(), fixtures::all().len() * 6);
}

#[test]
fn nothing_is_wrong_and_nothing_is_asked_of_anybody() {
    for seen in SEEN.iter() {
        let place = (&seen.page, &seen.view);
        assert_eq!(seen.console, [""; 0], "{place:?}");
        assert_eq!(seen.requests, [""; 0], "{place:?}");
    }
}

#[test]
fn nobody_elses_text_becomes_a_script_an_attribute_or_a_dialog() {
    for seen in SEEN.iter() {
        let place = (&seen.page, &seen.view);
        assert_eq!(
            (seen.scripts, seen.handlers, seen.dialogs),
            (1, 0, 0),
            "{place:?}"
        );
    }
    for seen in views("extreme") {
        assert!(
            seen.text.contains("<script>alert(1)</script>"),
            "{}",
            seen.view
        );
        assert!(seen.text.contains("\\u{202e}gnp.exe"), "{}", seen.view);
    }
}

#[test]
fn nothing_is_wider_than_the_screen_or_the_paper() {
    for seen in SEEN.iter() {
        assert_eq!(seen.overflows, [""; 0], "{:?}", (&seen.page, &seen.view));
    }
}

#[test]
fn all_policies_are_seen_at_once_and_on_a_phone_what_they_deny() {
    for seen in views("shadow") {
        assert_eq!(seen.unseen, [""; 0], "{}", seen.view);
        assert!(
            seen.text.contains("orders-of-customers-12"),
            "{}",
            seen.view
        );
    }
}

#[test]
fn no_label_is_drawn_over_another() {
    for seen in SEEN.iter() {
        assert_eq!(seen.collisions, [""; 0], "{:?}", (&seen.page, &seen.view));
    }
}

#[test]
fn nothing_keeps_anybody_from_reading_it() {
    for seen in SEEN.iter() {
        let Some(violations) = &seen.violations else {
            continue;
        };
        assert_eq!(violations, &[""; 0], "{:?}", (&seen.page, &seen.view));
        assert!(seen.rules > Some(15), "{seen:?}");
    }
    let looked = SEEN.iter().filter(|seen| seen.violations.is_some()).count();
    assert_eq!(looked, fixtures::all().len() * 3);
}

#[test]
fn without_script_the_page_says_the_same() {
    let with = views("rich").find(|seen| seen.view == "light").unwrap();
    let without = views("rich").find(|seen| seen.view == "no-script").unwrap();
    let added = ["Point at a chart", "Show all tables"];
    let lines = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| !added.iter().any(|added| line.starts_with(added)));
        lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&with.text), lines(&without.text));
    assert!(
        with.title
            .starts_with("14.9% of requests would have been denied"),
        "{}",
        with.title
    );
}

#[test]
fn a_chart_tells_its_values_to_a_pointer_and_to_keys() {
    let seen = views("rich").find(|seen| seen.view == "light").unwrap();
    let values = seen.values.as_ref().unwrap();
    assert!(
        values.pointed.starts_with("from (UTC) 11:55 · offered "),
        "{values:?}"
    );
    assert!(
        values.last.starts_with("from (UTC) 23:55 · offered "),
        "{values:?}"
    );
    assert!(
        values.before.starts_with("from (UTC) 23:50 · offered "),
        "{values:?}"
    );
}

#[test]
fn all_tables_open_at_once() {
    let seen = views("rich").find(|seen| seen.view == "phone").unwrap();
    let tables = seen.tables.as_ref().unwrap();
    assert!(tables.open >= 9, "{tables:?}");
    assert_eq!(tables.name, "Hide all tables");
}

#[test]
fn a_report_fits_a_few_sheets_of_paper() {
    let seen = views("rich").find(|seen| seen.view == "print").unwrap();
    assert!((2..=8).contains(&seen.pages.unwrap()), "{:?}", seen.pages);
}
