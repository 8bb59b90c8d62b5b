//! Caddy, Debian's.

use std::path::Path;
use std::process::Command;

use crate::behaviours;
use crate::support::{Programs, Recipe, Told};

pub(crate) const CADDY: Recipe = Recipe {
    folder: "caddy",
    ready: "serving initial configuration",
    command,
    behind_balancer: &[(
        "# trusted_proxies 192.0.2.1/32",
        "trusted_proxies 192.0.2.1/32",
    )],
    told: Told::Client,
    keeps_targets: true,
    when_hung: 503,
    when_dead: 503,
    says_when_to_return: true,
};

fn command(folder: &Path) -> Command {
    run(folder, &Programs::find("caddy"))
}

/// Runs a Caddy that writes nothing elsewhere.
pub(crate) fn run(folder: &Path, program: &Path) -> Command {
    let mut command = Command::new("env");
    command.arg("-C").arg(folder);
    for home in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.arg(format!("{home}={}", folder.display()));
    }
    command.arg(program);
    command.args(["run", "--config", "Caddyfile", "--adapter", "caddyfile"]);
    command
}

#[tokio::test]
async fn denies_the_eleventh_until_retry_after() {
    behaviours::denies_the_eleventh_until_retry_after(&CADDY).await;
}

#[tokio::test]
async fn believes_nothing_that_clients_say_of_themselves() {
    behaviours::believes_nothing_that_clients_say_of_themselves(&CADDY).await;
}

#[tokio::test]
async fn believes_a_load_balancer_and_not_its_clients() {
    behaviours::believes_a_load_balancer_and_not_its_clients(&CADDY).await;
}

#[tokio::test]
async fn policies_see_method_host_and_fields() {
    behaviours::policies_see_method_host_and_fields(&CADDY).await;
}

#[tokio::test]
async fn policies_see_each_spelling_of_a_path() {
    behaviours::policies_see_each_spelling_of_a_path(&CADDY).await;
}

#[tokio::test]
async fn passes_bodies_whole() {
    behaviours::passes_bodies_whole(&CADDY).await;
}

#[tokio::test]
async fn each_location_is_open_or_closed_while_nobody_answers() {
    behaviours::each_location_is_open_or_closed_while_nobody_answers(&CADDY).await;
}

#[tokio::test]
async fn a_denial_without_the_store_is_a_denial() {
    behaviours::a_denial_without_the_store_is_a_denial(&CADDY).await;
}

#[tokio::test]
async fn keeps_its_connections() {
    behaviours::keeps_its_connections(&CADDY).await;
}
