//! What programs read.

use serde_json::{Value, json};

use crate::transcript::shell;

fn checked(files: &str) -> Vec<Value> {
    let output = shell(&format!("tollgate check --format json {files}"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("hunter2") && !text.contains("correct horse"));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_line_of_json_tells_what_a_file_does() {
    let files = checked("crates/tollgate-policy/tests/file/right/everything.toml");
    let [file] = files.as_slice() else {
        panic!("{files:?}")
    };
    assert_eq!(file["errors"], 0);
    assert_eq!(file["warnings"], 2);
    assert_eq!(file["diagnostics"][0]["severity"], "warning");
    assert_eq!(file["diagnostics"][0]["line"], 65);
    assert_eq!(file["store"]["url"], "redis://***@redis.internal:6379");
    assert_eq!(file["store"]["has_hash_secret"], true);
    assert_eq!(file["store"]["timeout"], 250);
    assert_eq!(file["client"]["header"], "x-real-ip");
    assert_eq!(file["response"]["x_ratelimit_reset"], "delta");
    let login = &file["policies"][0];
    assert_eq!(login["name"], "login");
    assert_eq!(login["mode"], "shadow");
    assert_eq!(
        login["match"][1],
        json!({"attribute": "path", "values": ["/auth/**"]})
    );
    assert_eq!(
        login["key"],
        json!([["client.ip"], ["user", "header.x-device"]])
    );
    assert_eq!(login["count_statuses"], "401, 403, 420-429 or 500-599");
    assert_eq!(
        login["limits"][0]["limit"],
        "10/min fixed-window anchor first-request"
    );
    let search = &file["policies"][1];
    assert_eq!(search["unlimited"], true);
    assert_eq!(
        search["cost"],
        json!({"attribute": "query.cost", "max": 100, "default": 5})
    );
    assert_eq!(search["tiers"][1]["block"], true);
}

#[test]
fn values_that_may_be_secrets_are_for_no_program_either() {
    let files = checked("crates/tollgate-cli/tests/transcripts/shop.toml");
    let partners = &files[0]["policies"][3];
    assert_eq!(
        partners["match"],
        json!([{"attribute": "header.x-api-key", "values": ["***"]}])
    );
}

#[test]
fn a_line_of_json_tells_what_is_wrong() {
    let files = checked(
        "crates/tollgate-policy/tests/file/wrong/policy-words.toml crates/tollgate-policy/tests/file/right/least.toml",
    );
    let [wrong, right] = files.as_slice() else {
        panic!("{files:?}")
    };
    assert_eq!(wrong["errors"], 4);
    assert_eq!(wrong["policies"], Value::Null);
    assert_eq!(
        wrong["diagnostics"][0],
        json!({
            "severity": "error",
            "message": "`mode` cannot be `enforced`",
            "help": "did you mean `enforce`? It may be `enforce`, `shadow` or `off`",
            "line": 5,
            "column": 9,
            "related": [],
        })
    );
    assert_eq!(right["errors"], 0);
    assert_eq!(
        right["policies"][0]["limits"][0]["means"],
        "one every 1 s, up to 60 at once, full after 60 s"
    );
}

#[test]
fn a_file_that_cannot_be_read_has_no_line() {
    let files = checked("no/such/tollgate.toml");
    let error = &files[0]["diagnostics"][0];
    assert_eq!(error["severity"], "error");
    assert!(
        error["line"].is_null() && error["column"].is_null(),
        "{error}"
    );
}
