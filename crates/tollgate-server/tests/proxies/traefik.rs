//! Traefik.

use std::path::Path;
use std::process::Command;

use crate::behaviours;
use crate::support::{Programs, Recipe, Told};

pub(crate) const TRAEFIK: Recipe = Recipe {
    folder: "traefik",
    ready: "Starting provider",
    command,
    behind_balancer: &[
        (
            r#"# forwardedHeaders: { trustedIPs: ["192.0.2.1"] }"#,
            r#"forwardedHeaders: { trustedIPs: ["192.0.2.1"] }"#,
        ),
        ("trustForwardHeader: false", "trustForwardHeader: true"),
    ],
    told: Told::Service,
    keeps_targets: false,
    when_hung: 504,
    when_dead: 502,
    says_when_to_return: false,
};

fn command(folder: &Path) -> Command {
    let mut command = Command::new("env");
    command.arg("-C").arg(folder).arg(Programs::part("traefik"));
    command.arg("--configFile=traefik.yml");
    command
}

#[tokio::test]
async fn denies_the_eleventh_until_retry_after() {
    behaviours::denies_the_eleventh_until_retry_after(&TRAEFIK).await;
}

#[tokio::test]
async fn believes_nothing_that_clients_say_of_themselves() {
    behaviours::believes_nothing_that_clients_say_of_themselves(&TRAEFIK).await;
}

#[tokio::test]
async fn believes_a_load_balancer_and_not_its_clients() {
    behaviours::believes_a_load_balancer_and_not_its_clients(&TRAEFIK).await;
}

#[tokio::test]
async fn policies_see_method_host_and_fields() {
    behaviours::policies_see_method_host_and_fields(&TRAEFIK).await;
}

#[tokio::test]
async fn policies_see_each_spelling_of_a_path() {
    behaviours::policies_see_each_spelling_of_a_path(&TRAEFIK).await;
}

#[tokio::test]
async fn passes_bodies_whole() {
    behaviours::passes_bodies_whole(&TRAEFIK).await;
}

#[tokio::test]
async fn each_location_is_open_or_closed_while_nobody_answers() {
    behaviours::each_location_is_open_or_closed_while_nobody_answers(&TRAEFIK).await;
}

#[tokio::test]
async fn a_denial_without_the_store_is_a_denial() {
    behaviours::a_denial_without_the_store_is_a_denial(&TRAEFIK).await;
}

#[tokio::test]
async fn keeps_its_connections() {
    behaviours::keeps_its_connections(&TRAEFIK).await;
}
