//! `tollgate diff`.

use std::fs;

use crate::run::{shell, tollgate};
use crate::traffic::{SCRAPER, directory};

const OLD: &str = "
[[policy]]
name = \"places\"
match = { path = \"/places/**\" }
key = [\"client.ip\"]
limits = [\"30/min\"]

[[policy]]
name = \"auth\"
match = { path = \"/auth/**\" }
key = [\"client.ip\"]
limits = [\"5/min fixed-window\"]
";

#[test]
fn a_typo_is_refused_and_the_same_file_is_not() {
    let logs = directory("diffs");
    fs::write(logs.join("old.toml"), OLD).unwrap();
    fs::write(logs.join("typo.toml"), OLD.replace("30/min", "30/h")).unwrap();
    let bounds = "--max-newly-denied 0.1% --max-newly-denied-clients 0";
    for (files, code, message) in [
        ("old.toml old.toml", 0, ""),
        ("old.toml typo.toml", 2, "typo.toml newly denies"),
        ("typo.toml old.toml", 0, ""),
    ] {
        let ended = tollgate(&logs, &format!("diff {bounds} {files} access.log*"));
        assert_eq!(ended.code, code, "{files}: {ended:?}");
        assert!(ended.errors.contains(message), "{files}: {ended:?}");
        assert_eq!(
            ended.errors.is_empty(),
            message.is_empty(),
            "{files}: {ended:?}"
        );
    }
    // Each bound by itself.
    let typo = |bound: &str| {
        tollgate(
            &logs,
            &format!("diff old.toml typo.toml {bound} access.log"),
        )
    };
    assert_eq!(typo("").code, 0);
    assert_eq!(typo("--max-newly-denied 100000").code, 0);
    assert_eq!(typo("--max-newly-denied 1").code, 2);
    assert_eq!(typo("--max-newly-denied-clients 90%").code, 0);
    assert!(
        typo("--max-newly-denied-clients 1%")
            .errors
            .contains(" clients that were never denied, more than 1 %")
    );
}

#[test]
fn programs_read_what_people_read() {
    let logs = directory("diffs-json");
    fs::write(logs.join("old.toml"), OLD).unwrap();
    fs::write(logs.join("new.toml"), OLD.replace("30/min", "15/min")).unwrap();
    let told = tollgate(&logs, "diff old.toml new.toml access.log --json --worst 2");
    let found = told.json();
    assert_eq!(found["complete"], true);
    assert_eq!(found["policies"][0]["change"], "changed");
    assert_eq!(found["policies"][1]["change"], "same");
    let newly = found["requests"]["newly_denied"].as_u64().unwrap();
    assert!(newly > 0);
    assert_eq!(found["requests"]["newly_allowed"], 0);
    let replayed = |file: &str| {
        let report = tollgate(
            &logs,
            &format!("replay --policies {file} access.log --json"),
        );
        report.json()["totals"]["denied"].as_u64().unwrap()
    };
    assert_eq!(replayed("new.toml") - replayed("old.toml"), newly);
    assert_eq!(found["most_changed"].as_array().unwrap().len(), 2);
    assert_eq!(found["input"]["files"][0]["name"], "access.log");
    let text = tollgate(&logs, "diff old.toml new.toml access.log");
    assert!(
        text.output.contains("places: changed\n  30/min -> 15/min"),
        "{text:?}"
    );
    assert!(
        text.output
            .contains(found["most_changed"][0]["client"].as_str().unwrap())
    );
}

#[test]
fn hidden_clients_are_the_same_under_the_same_key_and_nowhere_told() {
    let logs = directory("diffs-hidden");
    fs::write(logs.join("old.toml"), OLD).unwrap();
    fs::write(logs.join("new.toml"), OLD.replace("30/min", "1000000/min")).unwrap();
    fs::write(logs.join("odd.log"), "203.0.113.66 odd\n").unwrap();
    let diff = "tollgate diff old.toml new.toml access.log.1 odd.log";
    let key = "KEY=0123456789abcdef0123456789abcdef";
    let plain = shell(&logs, diff);
    assert!(plain.output.contains(SCRAPER), "{plain:?}");
    assert!(
        plain.errors.contains("odd.log:1 `203.0.113.66 odd`"),
        "{plain:?}"
    );
    let first = shell(&logs, &format!("{key} {diff} --anonymize=KEY"));
    let second = shell(&logs, &format!("{key} {diff} --anonymize=KEY --json"));
    let third = shell(&logs, &format!("{diff} --anonymize"));
    for told in [&first, &second, &third] {
        assert_eq!(told.code, 0, "{told:?}");
        assert!(
            !told.output.contains("203.0.113") && !told.errors.contains("203.0.113"),
            "{told:?}"
        );
    }
    let hash = second.json()["most_changed"][0]["client"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        first.output.contains(&hash) && !third.output.contains(&hash),
        "{first:?}"
    );
    let short = shell(&logs, &format!("KEY=hunter2 {diff} --anonymize=KEY"));
    assert_eq!(short.code, 64);
    assert!(
        short.errors.contains("KEY holds 7 bytes") && !short.errors.contains("hunter2"),
        "{short:?}"
    );
}

#[test]
fn files_that_see_other_clients_are_compared() {
    let logs = directory("diffs-clients");
    let trusting = format!("[client]\ntrusted_proxies = [\"10.0.0.0/8\"]\n{OLD}");
    fs::write(logs.join("old.toml"), &trusting).unwrap();
    // The proxy is everybody now.
    fs::write(logs.join("new.toml"), OLD).unwrap();
    for arguments in [
        "old.toml new.toml proxied.log",
        "old.toml new.toml < proxied.log",
    ] {
        let refused = tollgate(&logs, &format!("diff --max-newly-denied 1% {arguments}"));
        assert_eq!(refused.code, 2, "{refused:?}");
        let found = tollgate(&logs, &format!("diff --json {arguments}")).json();
        assert_eq!(found["most_changed"][0]["client"], "10.0.0.7");
    }
}

#[test]
fn what_cannot_be_compared_is_told() {
    let logs = directory("diffs-wrong");
    fs::write(logs.join("old.toml"), OLD).unwrap();
    fs::write(logs.join("wrong.toml"), OLD.replace("limits", "limit")).unwrap();
    for (arguments, code, message) in [
        (
            "old.toml wrong.toml access.log",
            1,
            "`limit` is not a field",
        ),
        ("none.toml wrong.toml access.log", 1, "none.toml"),
        ("old.toml old.toml none.log", 1, "none.log"),
        (
            "- old.toml - < old.toml",
            64,
            "standard input can be read only once",
        ),
        ("old.toml", 64, "<NEW>"),
        (
            "old.toml old.toml access.log --max-newly-denied 1.5",
            64,
            "such as `0.1%`",
        ),
        (
            "old.toml old.toml access.log app.log",
            2,
            "lines could not be read",
        ),
    ] {
        let ended = tollgate(&logs, &format!("diff {arguments}"));
        assert_eq!(ended.code, code, "{arguments}: {ended:?}");
        assert!(ended.errors.contains(message), "{arguments}: {ended:?}");
    }
}

#[test]
fn nothing_is_compared_by_no_requests() {
    let logs = directory("diffs-nothing");
    fs::write(logs.join("old.toml"), OLD).unwrap();
    fs::write(logs.join("empty.log"), "").unwrap();
    for arguments in [
        "empty.log",
        "empty.log --json",
        "< /dev/null",
        "empty.log --max-newly-denied 0",
    ] {
        for command in ["diff old.toml old.toml", "replay --policies old.toml"] {
            if command.starts_with("replay") && arguments.contains("newly") {
                continue;
            }
            let ended = tollgate(&logs, &format!("{command} {arguments}"));
            assert_eq!(ended.code, 1, "{command} {arguments}: {ended:?}");
            assert!(
                ended.errors.contains("there are no requests"),
                "{command} {arguments}: {ended:?}"
            );
        }
    }
    // One that is empty does no harm beside one that is not.
    let beside = tollgate(&logs, "diff old.toml old.toml empty.log access.log");
    assert_eq!(beside.code, 0, "{beside:?}");
}

#[test]
fn no_bound_is_kept_to_by_proxies() {
    let logs = directory("diffs-proxies");
    fs::write(logs.join("old.toml"), OLD).unwrap();
    let log = fs::read_to_string(logs.join("proxied.log")).unwrap();
    for (name, proxy) in [("one.log", "203.0.113.5 "), ("two.log", "10.0.0.6 ")] {
        let mut lines = String::new();
        for (number, line) in log.lines().enumerate() {
            let swapped = name == "one.log" || number % 2 == 0;
            let line = if swapped {
                line.replacen("10.0.0.7 ", proxy, 1)
            } else {
                line.to_owned()
            };
            lines.push_str(&line);
            lines.push('\n');
        }
        fs::write(logs.join(name), lines).unwrap();
    }
    for (log, said) in [
        ("proxied.log", "the private address 10.0.0.7 sent 100 %"),
        ("one.log", "the address 203.0.113.5 sent 100 %"),
        (
            "two.log",
            "the private addresses 10.0.0.6 and 10.0.0.7 sent 100 %",
        ),
    ] {
        let told = tollgate(&logs, &format!("diff old.toml old.toml {log}"));
        assert_eq!(told.code, 0, "{told:?}");
        assert!(told.output.contains(said), "{told:?}");
        let bounded = "diff old.toml old.toml --max-newly-denied 1%";
        let refused = tollgate(&logs, &format!("{bounded} {log}"));
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.errors.contains("the bounds cannot be judged"));
        let meant = tollgate(&logs, &format!("{bounded} {log} --allow-few-clients"));
        assert_eq!(meant.code, 0, "{meant:?}");
        let hidden = tollgate(&logs, &format!("{bounded} {log} --anonymize"));
        assert!(!hidden.output.contains("10.0.0") && !hidden.output.contains("203.0.113"));
        assert!(hidden.output.contains("of the requests"), "{hidden:?}");
        for command in ["suggest", "replay --policies old.toml --json"] {
            let told = tollgate(&logs, &format!("{command} {log}"));
            assert!(told.output.contains(said), "{command}: {told:?}");
        }
    }
    fs::write(
        logs.join("both.toml"),
        format!("[client]\ntrusted_proxies = [\"10.0.0.0/8\"]\n{OLD}"),
    )
    .unwrap();
    let right = "diff both.toml both.toml --max-newly-denied 1% two.log";
    let right = tollgate(&logs, right);
    assert_eq!((right.code, right.errors.as_str()), (0, ""));
    // One of two is trusted.
    let half = tollgate(&logs, "suggest --trusted-proxy 10.0.0.7 two.log");
    assert!(
        half.errors.contains("the private address 10.0.0.6 sent 50"),
        "{half:?}"
    );
}

#[test]
fn a_typo_in_shadow_is_refused_as_enforced() {
    let logs = directory("diffs-shadow");
    let shadow = OLD.replace("[\"30/min\"]", "[\"30/min\"]\nmode = \"shadow\"");
    fs::write(logs.join("enforced.toml"), OLD).unwrap();
    fs::write(logs.join("shadow.toml"), &shadow).unwrap();
    fs::write(logs.join("typo.toml"), shadow.replace("30/min", "30/h")).unwrap();
    let bounds = "--max-newly-denied 0 --max-newly-denied-clients 0";
    for (files, as_enforced, code) in [
        ("shadow.toml typo.toml", "", 0),
        ("shadow.toml typo.toml", "--as-enforced", 2),
        ("shadow.toml shadow.toml", "--as-enforced", 0),
        // What is enforced now is denied now, whatever shadow said of it.
        ("shadow.toml enforced.toml", "", 2),
        ("shadow.toml enforced.toml", "--as-enforced", 2),
        ("enforced.toml shadow.toml", "--as-enforced", 0),
    ] {
        let ended = tollgate(
            &logs,
            &format!("diff {files} {bounds} {as_enforced} access.log.1"),
        );
        assert_eq!(ended.code, code, "{files} {as_enforced}: {ended:?}");
    }
    let typo = tollgate(
        &logs,
        &format!("diff shadow.toml typo.toml {bounds} --as-enforced access.log.1"),
    );
    for what in [
        "requests that were allowed",
        "clients that were never denied",
    ] {
        let said = format!(" {what}, more than 0");
        assert!(typo.errors.contains(&said), "{typo:?}");
    }
    assert!(
        typo.output
            .contains("if what is in shadow were enforced, newly denied: "),
        "{typo:?}"
    );
    assert!(typo.output.contains("  would deny "), "{typo:?}");
    let enforced = tollgate(&logs, "diff shadow.toml enforced.toml access.log.1");
    assert!(
        enforced
            .output
            .contains(" before, in shadow: the same ones"),
        "{enforced:?}"
    );
}

#[test]
fn a_policy_of_another_name_is_renamed_and_not_another_one() {
    let logs = directory("diffs-renamed");
    fs::write(logs.join("old.toml"), OLD).unwrap();
    let renamed = OLD.replace("\"places\"", "\"shops\"");
    fs::write(logs.join("new.toml"), &renamed).unwrap();
    fs::write(logs.join("other.toml"), renamed.replace("30/min", "3/min")).unwrap();
    let told = tollgate(&logs, "diff old.toml new.toml access.log --json").json();
    assert_eq!(told["policies"][0]["change"], "renamed");
    assert_eq!(told["policies"][0]["old_name"], "places");
    assert_eq!(told["policies"][0]["newly_denied"], 0);
    assert_eq!(told["policies"].as_array().unwrap().len(), 2);
    let text = tollgate(&logs, "diff old.toml new.toml access.log");
    assert!(
        text.output.contains("shops: renamed, places before"),
        "{text:?}"
    );
    let other = tollgate(&logs, "diff old.toml other.toml access.log --json").json();
    assert_eq!(other["policies"][0]["change"], "added");
    assert_eq!(other["policies"][2]["change"], "removed");
}
