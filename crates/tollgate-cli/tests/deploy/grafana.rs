//! The dashboard.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::support::{read, runs};

/// All expressions of a dashboard.
fn expressions(dashboard: &Value) -> Vec<String> {
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array());
    let annotations = dashboard["annotations"]["list"].as_array().unwrap();
    let found: Vec<_> = targets
        .flatten()
        .chain(annotations)
        .map(|it| it["expr"].as_str().unwrap().to_owned())
        .collect();
    assert!(found.len() > 20);
    found
}

#[test]
fn the_dashboard_asks_prometheus_what_it_understands_and_what_there_is() {
    let dashboard: Value = serde_json::from_str(&read("deploy/grafana/tollgate.json")).unwrap();
    let documented = read("docs/metrics.md") + &read("docs/daemon/operations.md");
    let mut rules = "groups:\n  - name: dashboard\n    rules:\n".to_owned();
    for (index, expression) in expressions(&dashboard).into_iter().enumerate() {
        for word in expression.split(|it: char| !it.is_ascii_alphanumeric() && it != '_') {
            if word.starts_with("tollgate_") {
                let metric = word.trim_end_matches("_bucket");
                assert!(documented.contains(&format!("`{metric}`")), "{metric}");
            }
        }
        let expression = expression
            .replace("$__rate_interval", "5m")
            .replace("$job", ".*");
        assert!(!expression.contains('$'), "{expression}");
        let expression = serde_json::to_string(&expression).unwrap();
        writeln!(
            rules,
            "      - {{ record: 'dashboard:{index}', expr: {expression} }}"
        )
        .unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dashboard.yml");
    fs::write(&path, rules).unwrap();
    runs(
        "promtool",
        "prometheus",
        &["check", "rules", path.to_str().unwrap()],
    );
}

#[test]
fn panels_have_their_own_numbers_and_do_not_lie_on_each_other() {
    let dashboard: Value = serde_json::from_str(&read("deploy/grafana/tollgate.json")).unwrap();
    let mut numbers = Vec::new();
    let mut cells = Vec::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        let at = |name: &str| panel["gridPos"][name].as_u64().unwrap();
        assert!(at("x") + at("w") <= 24, "{}", panel["title"]);
        for x in at("x")..at("x") + at("w") {
            for y in at("y")..at("y") + at("h") {
                assert!(!cells.contains(&(x, y)), "{}", panel["title"]);
                cells.push((x, y));
            }
        }
        let number = panel["id"].as_u64().unwrap();
        assert!(!numbers.contains(&number));
        numbers.push(number);
    }
}
