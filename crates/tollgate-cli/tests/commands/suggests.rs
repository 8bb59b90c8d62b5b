//! `tollgate suggest`.

use std::fs;

use serde_json::Value;

use crate::run::{shell, tollgate};
use crate::traffic::{SCRAPER, directory};

/// What is suggested for a group.
fn policy<'v>(found: &'v Value, name: &str) -> &'v Value {
    let policies = found["policies"].as_array().unwrap();
    let policy = policies.iter().find(|policy| policy["name"] == name);
    policy.unwrap()
}

#[test]
fn what_is_suggested_can_be_used_and_denies_what_it_says() {
    let logs = directory("suggests");
    let suggested = tollgate(&logs, "suggest access.log* > tollgate.toml");
    assert_eq!(suggested.code, 0, "{suggested:?}");
    let checked = tollgate(&logs, "check --deny-warnings tollgate.toml");
    assert_eq!(checked.code, 0, "{checked:?}");
    let found = tollgate(&logs, "suggest 'access.log*' --json").json();
    let report = tollgate(&logs, "replay access.log.1 access.log --json").json();
    let replayed = report["policies"].as_array().unwrap();
    assert!(replayed.len() >= 3);
    for replayed in replayed {
        let name = replayed["name"].as_str().unwrap();
        let said = policy(&found, name);
        assert_eq!(replayed["mode"], "shadow");
        assert_eq!(said["denied"]["requests"], replayed["denied"], "{name}");
        assert_eq!(said["denied"]["clients"], replayed["keys_denied"], "{name}");
        assert_eq!(said["requests"], replayed["matched"], "{name}");
        assert!(said["denied"]["clients"].as_u64() <= said["may_be_denied"].as_u64());
    }
    // Nobody who is served well is denied for the sake of the one who is not.
    let places = policy(&found, "places-read");
    assert!(
        places["denied"]["requests"].as_u64().unwrap() > 10_000,
        "{places}"
    );
    assert!(
        places["denied"]["clients"].as_u64().unwrap() <= 2,
        "{places}"
    );
    let worst = &report["policies"][0]["worst"][0]["key"];
    assert_eq!(*worst, SCRAPER);
}

#[test]
fn every_form_of_the_same_log_gives_the_same_limits() {
    let logs = directory("suggests-forms");
    let limits = |arguments: &str| {
        let found = tollgate(&logs, &format!("suggest --json {arguments}"));
        assert_eq!(found.code, 0, "{found:?}");
        let found = found.json();
        let policies = found["policies"].as_array().unwrap().iter();
        let told: Vec<Value> = policies
            .map(|policy| serde_json::json!([policy["name"], policy["limits"], policy["requests"]]))
            .collect();
        told
    };
    let expected = limits("access.log access.log.1");
    assert!(expected.len() >= 2);
    let format = "--log-format '$time_iso8601 $remote_addr $request_method $request_uri $status $request_time'";
    assert_eq!(limits(&format!("{format} api.log")), expected);
    assert_eq!(limits("- < /dev/null access.log.1 access.log"), expected);
    let both = shell(&logs, "cat access.log.1 access.log | gzip > all.gz");
    assert_eq!(both.code, 0);
    assert_eq!(limits("all.gz"), expected);
    assert_eq!(limits("< all.gz"), expected);
}

#[test]
fn groups_key_and_share_are_what_was_asked_for() {
    let logs = directory("suggests-asked");
    let json = tollgate(
        &logs,
        "suggest --json access.log.1 --group '/auth/**' --group '/places/*' --deny-at-most 5%",
    );
    let found = json.json();
    let names: Vec<&Value> = found["policies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|policy| &policy["name"])
        .collect();
    assert_eq!(names, ["auth", "places"]);
    assert_eq!(found["deny_at_most"], 0.05);
    let by_user = tollgate(
        &logs,
        "suggest --key 'user or client.ip' --group '/**' access.log.1",
    );
    assert!(
        by_user.output.contains("key = [\"user or client.ip\"]"),
        "{by_user:?}"
    );
    let trusted = tollgate(&logs, "suggest --trusted-proxy 10.0.0.0/8 proxied.log");
    assert!(
        trusted
            .output
            .contains("trusted_proxies = [\"10.0.0.0/8\"]"),
        "{trusted:?}"
    );
    fs::write(logs.join("proxied.toml"), &trusted.output).unwrap();
    assert_eq!(
        tollgate(&logs, "check --deny-warnings proxied.toml").code,
        0
    );
    // Otherwise the proxy would be the only client.
    assert!(
        trusted.output.contains("would have denied 1 client"),
        "{trusted:?}"
    );
}

#[test]
fn text_shows_curves() {
    let logs = directory("suggests-text");
    let found = tollgate(&logs, "suggest --output-format text access.log");
    assert_eq!((found.code, found.errors.as_str()), (0, ""));
    for words in ["most requests", "in any minute", "clients denied", "\n> "] {
        assert!(found.output.contains(words), "{words}: {}", found.output);
    }
}

#[test]
fn what_goes_wrong_is_told() {
    let logs = directory("suggests-wrong");
    fs::write(logs.join("odd.log"), "one\ntwo\n").unwrap();
    fs::write(logs.join("empty.log"), "").unwrap();
    fs::write(
        logs.join("binary.log"),
        b"\x7fELF\x02\x01\x01\0\0\n\0\x01\n",
    )
    .unwrap();
    let haproxy = "Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2026:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 \"GET /index.html HTTP/1.1\"\n";
    fs::write(logs.join("haproxy.log"), haproxy).unwrap();
    let full = shell(&logs, "tollgate suggest access.log > /dev/full");
    assert_eq!(full.code, 1);
    assert!(full.errors.contains("cannot write to standard output: "));
    let few = tollgate(&logs, "suggest access.log.1 --group '/places/*/reviews'");
    assert_eq!(few.code, 0);
    assert!(few.errors.contains("It takes 1,000 to tell"), "{few:?}");
    for (arguments, code, message) in [
        (
            "odd.log",
            1,
            "none of 2 lines is a request; name the format with --format",
        ),
        ("binary.log", 1, "none of 3 lines is text"),
        ("haproxy.log", 1, "say it with --timezone"),
        (
            "empty.log",
            1,
            "there are no requests to derive limits from",
        ),
        ("none.log", 1, "none.log"),
        ("'none*.log'", 1, "no file matches `none*.log`"),
        ("access.log --key Client.IP", 64, "write `client.ip`"),
        ("access.log --group auth/login", 64, "write `/auth/login`"),
        ("access.log --deny-at-most 1", 64, "such as `0.1%`"),
        (
            "access.log --format toml",
            64,
            "write `--output-format toml`",
        ),
        ("access.log --format cady", 64, "did you mean `caddy`?"),
        ("app.log --format json", 64, "--field time=.ts"),
        ("app.log --field client.ip=.ip", 64, "time"),
        (
            "access.log --json --output-format text",
            64,
            "cannot be used with",
        ),
        ("access.log --trusted-proxy 10.0.0.0/99", 64, "10.0.0.0/99"),
        (
            "access.log odd.log --max-rejected 1",
            2,
            "2 of 18040 lines could not be read",
        ),
    ] {
        let ended = tollgate(&logs, &format!("suggest {arguments}"));
        assert_eq!(ended.code, code, "{arguments}: {ended:?}");
        assert!(ended.errors.contains(message), "{arguments}: {ended:?}");
    }
}

#[test]
fn no_address_is_told_if_they_are_hidden() {
    let logs = directory("suggests-hidden");
    fs::write(logs.join("odd.log"), "10.0.0.9 odd\n").unwrap();
    let plain = tollgate(&logs, "suggest proxied.log odd.log");
    assert!(plain.output.contains("10.0.0.7") && plain.errors.contains("10.0.0.9 odd"));
    for form in ["toml", "text", "json"] {
        let arguments = format!("--anonymize --output-format {form}");
        let hidden = tollgate(&logs, &format!("suggest proxied.log odd.log {arguments}"));
        assert_eq!(hidden.code, 0, "{hidden:?}");
        for said in [&hidden.output, &hidden.errors] {
            assert!(!said.contains("10.0.0."), "{hidden:?}");
        }
        assert!(
            hidden.output.contains("the private address #"),
            "{hidden:?}"
        );
    }
}

#[test]
fn a_field_that_no_line_has_and_a_unit_that_cannot_be_right_are_told() {
    let logs = directory("suggests-doubts");
    fs::write(
        logs.join("tollgate.toml"),
        "[[policy]]\nname = \"all\"\nshared = true\nlimits = [\"30/min\"]\n",
    )
    .unwrap();
    let right = [
        ("time", ".when:ms"),
        ("duration", ".took_ms:ms"),
        ("client.ip", ".who.addr"),
        ("path", ".http.target"),
    ];
    for (name, path, code, said) in [
        ("time", ".when:ms", 0, ""),
        (
            "path",
            ".http.targt",
            0,
            "no line has what `--field path=.http.targt` names",
        ),
        // So long that the requests began before all times.
        (
            "duration",
            ".when",
            1,
            "more than a day by --field duration",
        ),
        ("time", ".when:us", 0, "before the year 2000"),
        (
            "client.ip",
            ".who.adr",
            1,
            "nothing can be suggested: no request has",
        ),
    ] {
        let fields = right.map(|(known, at)| {
            let at = if known == name { path } else { at };
            format!("--field {known}={at}")
        });
        let fields = fields.join(" ");
        let ended = tollgate(&logs, &format!("suggest app.log --group '/**' {fields}"));
        assert_eq!(ended.code, code, "{name}={path}: {ended:?}");
        assert!(ended.errors.contains(said), "{name}={path}: {ended:?}");
        assert_eq!(ended.errors.is_empty(), said.is_empty(), "{ended:?}");
        if code == 0 {
            for command in ["replay", "diff tollgate.toml tollgate.toml"] {
                let ended = tollgate(&logs, &format!("{command} app.log {fields}"));
                assert!(ended.errors.contains(said), "{command}: {ended:?}");
            }
        }
    }
}
