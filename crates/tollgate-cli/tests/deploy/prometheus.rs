//! Rules and their tests.

use std::collections::BTreeSet;

use crate::support::{read, runs};

fn promtool(arguments: &[&str]) -> String {
    runs("promtool", "prometheus", arguments)
}

#[test]
fn prometheus_takes_the_configuration_and_its_rules() {
    promtool(&["check", "config", "deploy/prometheus/prometheus.yml"]);
}

#[test]
fn alerts_are_raised_when_something_is_wrong_and_only_then() {
    promtool(&["test", "rules", "deploy/prometheus/alerts-test.yml"]);
}

#[test]
fn every_alert_on_the_daemon_is_tested() {
    let rules = read("deploy/prometheus/server-alerts.yml");
    let tests = read("deploy/prometheus/alerts-test.yml");
    let alerts: BTreeSet<&str> = rules
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "))
        .collect();
    assert!(alerts.len() >= 10);
    for alert in alerts {
        assert!(
            tests.contains(&format!("- alertname: {alert}\n")),
            "{alert}"
        );
    }
}
