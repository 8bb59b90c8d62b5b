//! What programs read.

use serde_json::{Value, json};

use crate::transcript::{SECRETS, shell};

fn checked(files: &str) -> Vec<Value> {
    let text = printed(&format!("check --format json {files}"));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn printed(command: &str) -> String {
    let output = shell(&format!("tollgate {command}")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for secret in SECRETS {
        assert!(!text.contains(secret), "{text}");
    }
    text
}

/// What is told of a request to a file of the transcripts.
fn explained(arguments: &str) -> Value {
    let text = printed(&format!(
        "explain --format json --at 1800000013 crates/tollgate-cli/tests/transcripts/{arguments}"
    ));
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// What a policy says.
fn policy<'v>(explained: &'v Value, name: &str) -> &'v Value {
    let policies = explained["policies"].as_array().unwrap();
    let policy = policies.iter().find(|policy| policy["name"] == name);
    policy.unwrap()
}

#[test]
fn a_line_of_json_tells_what_a_file_does() {
    let files = checked("crates/tollgate-policy/tests/file/right/everything.toml");
    let [file] = files.as_slice() else {
        panic!("{files:?}")
    };
    assert_eq!(file["errors"], 0);
    assert_eq!(file["warnings"], 3);
    assert_eq!(file["diagnostics"][0]["severity"], "warning");
    assert_eq!(file["diagnostics"][0]["line"], 31);
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
        json!({"attribute": "search.cost", "min": 1, "max": 100, "default": 5})
    );
    assert_eq!(search["tiers"][1]["block"], true);
}

#[test]
fn what_the_program_must_add_is_listed() {
    let files = checked("crates/tollgate-policy/tests/file/right/everything.toml");
    assert_eq!(
        files[0]["added_attributes"],
        json!(["search.cost", "user", "user.plan"])
    );
}

#[test]
fn parameters_of_the_query_are_read_from_paths_and_from_requests() {
    let file = "[[policy]]\nname = \"search\"\nmatch = { \"query.page\" = \"a b, c\" }\nkey = [\"query.q\"]\nlimits = [\"1/s\"]\n";
    let target = "/search?q=x&page=a+b&page=c";
    for command in [
        format!("printf '%s' '{file}' | tollgate explain - --format json --attr 'path={target}'"),
        format!(
            "request=$(mktemp); echo 'GET {target} HTTP/1.1' > $request; printf '%s' '{file}' | tollgate explain - --format json --request $request; rm $request"
        ),
    ] {
        let output = shell(&command).output().unwrap();
        let explained: Value = serde_json::from_slice(&output.stdout).unwrap();
        let search = policy(&explained, "search");
        assert_eq!(search["is_match"], true, "{search}");
        assert_eq!(search["key"], "query.q=x", "{search}");
    }
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

#[test]
fn explain_tells_what_each_policy_says_and_what_is_charged() {
    let explained = explained(
        "shop.toml --after 10 --attr client.ip=2001:db8::1 --attr path=/search --attr search.cost=3",
    );
    assert_eq!(explained["at"], 1_800_000_013);
    assert_eq!(explained["after"], 10);
    assert_eq!(explained["client"]["address"], "2001:db8::1");
    assert_eq!(explained["client"]["counted_by"], "2001:db8::/56");
    let attributes = explained["attributes"].as_array().unwrap();
    assert!(attributes.contains(&json!({"attribute": "path", "value": "/search"})));
    assert!(attributes.contains(&json!({"attribute": "user", "value": null})));
    assert_eq!(
        policy(&explained, "search"),
        &json!({
            "name": "search",
            "mode": "enforce",
            "is_match": true,
            "mismatch": null,
            "key": "client.ip=2001:db8::/56",
            "missing_key": null,
            "tier": null,
            "charges": [{
                "limit": "20/min",
                "cost": 3,
                "verdict": "deny",
                "quota": 20,
                "remaining": 2,
                "reset_after": 54,
                "retry_after": 3,
            }],
            "is_allowed": false,
            "reason": "limit_exceeded",
        })
    );
    let response = &explained["response"];
    assert_eq!(response["is_allowed"], false);
    assert_eq!(response["reason"], "limit_exceeded");
    assert_eq!(response["decided_by"], "search");
    assert_eq!(response["status"], 429);
    let headers = response["headers"].as_array().unwrap();
    assert!(headers.contains(&json!({"name": "retry-after", "value": "3"})));
    let body: Value = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["violated-policies"], json!(["search"]));
}

#[test]
fn explain_tells_why_a_policy_is_not_for_a_request() {
    let of_a_pro = explained(
        "shop.toml --attr client.ip=192.0.2.7 --attr path=/search --attr user.plan=staff --attr header.x-api-key=sk-other",
    );
    for (name, mismatch) in [
        ("old", json!({"kind": "off"})),
        (
            "export",
            json!({"kind": "test", "attribute": "path", "expected": ["/export"], "values": ["/search"]}),
        ),
        (
            "login",
            json!({"kind": "test", "attribute": "method", "expected": ["POST"], "values": []}),
        ),
        (
            "partners",
            json!({"kind": "test", "attribute": "header.x-api-key", "expected": ["***"], "values": ["***"]}),
        ),
        (
            "search",
            json!({"kind": "exception", "when": [
                {"attribute": "client.ip", "values": ["192.0.2.0/24"]},
                {"attribute": "user.plan", "values": ["staff"]},
            ]}),
        ),
    ] {
        let policy = policy(&of_a_pro, name);
        assert_eq!(policy["mismatch"], mismatch);
        assert_eq!(policy["is_match"], false);
        assert_eq!(policy["charges"], json!([]));
        assert_eq!(policy["reason"], Value::Null);
    }
    assert_eq!(of_a_pro["response"]["reason"], "no_policy");
    assert_eq!(of_a_pro["response"]["status"], Value::Null);
}

#[test]
fn explain_tells_of_tiers_missing_keys_refunds_and_hidden_numbers() {
    let banned = explained("shop.toml --attr path=/search --attr user.plan=banned");
    assert_eq!(policy(&banned, "search")["tier"], 2);
    assert_eq!(banned["response"]["status"], 403);
    let member = explained("shop.toml --attr path=/members");
    assert_eq!(policy(&member, "members")["missing_key"], "user");
    assert_eq!(policy(&member, "members")["is_allowed"], true);
    let login =
        explained("shop.toml --attr client.ip=192.0.2.7 --attr method=POST --attr path=/login");
    let response = &login["response"];
    assert_eq!(response["hidden"], json!(["login"]));
    assert_eq!(
        response["given_back"],
        json!([{"policy": "login", "unless": "401 or 403"}])
    );
}

#[test]
fn explain_tells_who_the_client_of_a_raw_request_is() {
    let request = |head: &str, peer: &str| {
        let text = printed(&format!(
            "explain --format json crates/tollgate-cli/tests/transcripts/shop.toml --request - {peer} <<'END'\n{head}\nEND"
        ));
        let explained: Value = serde_json::from_str(&text).unwrap();
        explained
    };
    let named = request(
        "GET /search HTTP/1.1\nForwarded: for=192.0.2.7",
        "--peer 10.0.0.1",
    );
    assert_eq!(
        named["client"],
        json!({
            "address": "192.0.2.7",
            "counted_by": "192.0.2.7",
            "source": "header",
            "header": "forwarded",
            "missing_because": null,
        })
    );
    let unnamed = request("GET /search HTTP/1.1", "");
    assert_eq!(unnamed["client"]["address"], Value::Null);
    let because = unnamed["client"]["missing_because"].as_str().unwrap();
    assert!(because.contains("--peer"), "{because}");
    let preflight = request(
        "OPTIONS /search HTTP/1.1\nOrigin: https://a.example\nAccess-Control-Request-Method: GET",
        "--peer 192.0.2.7",
    );
    assert_eq!(preflight["response"]["is_preflight"], true);
    assert_eq!(
        policy(&preflight, "search")["mismatch"],
        json!({"kind": "preflight"})
    );
}

#[test]
fn what_the_environment_says_is_for_no_program() {
    let explained =
        explained("plans.toml --attr header.x-plan=\"$PLAN_TOKEN\" --attr path=/nothing");
    assert_eq!(
        policy(&explained, "gold")["key"],
        "header.x-plan=${PLAN_TOKEN}"
    );
    assert_eq!(
        policy(&explained, "rest")["mismatch"]["expected"],
        json!(["/api/**", "/${PLAN_TOKEN}"])
    );
    let attributes = explained["attributes"].as_array().unwrap();
    assert!(attributes.contains(&json!({"attribute": "header.x-plan", "value": "${PLAN_TOKEN}"})));
}
