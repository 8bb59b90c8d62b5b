//! `tollgate replay`.

use std::fs;

use crate::run::{shell, tollgate};
use crate::traffic::{POLICIES, SCRAPER, directory};

#[test]
fn tells_who_would_have_been_limited_in_every_form() {
    let logs = directory("replays");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    let text = tollgate(&logs, "replay access.log.1 --html report.html");
    assert_eq!((text.code, text.errors.as_str()), (0, ""));
    let report = tollgate(&logs, "replay access.log.1 --output-format json").json();
    let page = fs::read_to_string(logs.join("report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
    for told in [&text.output, &page] {
        assert!(told.contains(SCRAPER));
    }
    assert_eq!(report["policies"][0]["worst"][0]["key"], SCRAPER);
    assert_eq!(report["policy_file"], "tollgate.toml");
    let few = tollgate(&logs, "replay access.log.1 --json --worst 1").json();
    assert_eq!(few["policies"][0]["worst"].as_array().unwrap().len(), 1);
    let hidden = tollgate(&logs, "replay access.log.1 --json --anonymize");
    assert!(!hidden.output.contains("203.0.113"));
    assert_eq!(hidden.json()["anonymized"], true);
}

#[test]
fn logs_come_from_files_patterns_pipes_and_standard_input() {
    let logs = directory("replays-inputs");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    let totals = |command: &str| {
        let ended = shell(&logs, command);
        assert_eq!(ended.code, 0, "{command}: {ended:?}");
        ended.json()["totals"].clone()
    };
    let expected = totals("tollgate replay --json access.log access.log.1");
    for command in [
        "tollgate replay --json 'access.log*'",
        "cat access.log.1 access.log | tollgate replay --json",
        "cat access.log.1 access.log | tollgate replay --json -",
        "tollgate replay --json - access.log.1 < access.log",
        "cat tollgate.toml | tollgate replay --json --policies - access.log access.log.1",
        "TOLLGATE_POLICIES=tollgate.toml tollgate replay --json access.log access.log.1",
        // Shuffled, and put in order again.
        "sort -R access.log access.log.1 | tollgate replay --json",
    ] {
        assert_eq!(totals(command), expected, "{command}");
    }
}

#[test]
fn its_ending_tells_what_went_wrong() {
    let logs = directory("replays-endings");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    fs::write(logs.join("wrong.toml"), "[[policy]]\n").unwrap();
    fs::write(logs.join("odd.log"), "one\ntwo\n").unwrap();
    fs::write(logs.join("empty.log"), "").unwrap();
    let cut = shell(&logs, "gzip -c access.log | head -c 20000 > cut.gz");
    assert_eq!(cut.code, 0);
    for (arguments, code) in [
        ("access.log", 0),
        ("empty.log", 1),
        ("access.log odd.log", 0),
        ("access.log odd.log --max-rejected 2", 0),
        ("access.log odd.log --max-rejected 1", 2),
        ("access.log odd.log --max-rejected 0%", 2),
        ("odd.log --max-rejected 100%", 1),
        ("odd.log", 2),
        ("app.log", 2),
        ("none.log", 1),
        ("cut.gz", 1),
        ("access.log --policies none.toml", 1),
        ("access.log --policies wrong.toml", 1),
        ("access.log --html no/such/report.html", 64),
        ("access.log --html .", 64),
        ("access.log --timezone Europe/Berlim", 64),
        ("access.log --reorder x", 64),
        ("access.log --worst -1", 64),
        ("access.log --log-format nonsense", 64),
        (
            "access.log --log-format '$remote_addr' --format combined",
            64,
        ),
        ("access.log --max-rejected x", 64),
        ("access.log --anonymize=NOT_SET", 64),
    ] {
        let ended = tollgate(&logs, &format!("replay {arguments}"));
        assert_eq!(ended.code, code, "{arguments}: {ended:?}");
        assert_eq!(
            ended.errors.is_empty(),
            matches!(code, 0 | 2) || arguments == "cut.gz",
            "{arguments}: {ended:?}"
        );
    }
}

#[test]
fn json_of_an_unknown_form_is_read_by_a_map() {
    let logs = directory("replays-fields");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    let expected = tollgate(&logs, "replay --json access.log access.log.1").json();
    let fields = "--field time=.when:ms --field client.ip=.who.addr --field method=.http.verb --field path=.http.target --field status=.http.code --field duration=.took_ms:ms";
    let found = tollgate(&logs, &format!("replay --json app.log {fields}")).json();
    assert_eq!(found["totals"]["requests"], expected["totals"]["requests"]);
    assert_eq!(
        found["policies"][0]["matched"],
        expected["policies"][0]["matched"]
    );
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let logs = directory("replays-pipe");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    for command in [
        "replay access.log",
        "suggest access.log --output-format text",
        "diff tollgate.toml tollgate.toml access.log",
    ] {
        // It writes when nobody can read any more.
        let ended = shell(
            &logs,
            &format!("(sleep 0; tollgate {command}; echo $? > code) | true; cat code"),
        );
        assert_eq!(
            (ended.output.trim(), ended.errors.as_str()),
            ("0", ""),
            "{command}"
        );
    }
}

#[test]
fn the_same_log_is_not_counted_twice() {
    let logs = directory("replays-twice");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    let packed = shell(&logs, "gzip -k access.log");
    assert_eq!(packed.code, 0);
    for arguments in [
        "'access.log*'",
        "access.log access.log.1 access.log",
        "access.log.gz ./access.log",
    ] {
        for command in ["replay", "suggest", "diff tollgate.toml tollgate.toml"] {
            let ended = tollgate(&logs, &format!("{command} {arguments}"));
            assert_eq!(ended.code, 64, "{command} {arguments}: {ended:?}");
            assert!(ended.errors.contains("would count twice"), "{ended:?}");
            assert!(ended.errors.contains("access.log"), "{ended:?}");
        }
    }
}
