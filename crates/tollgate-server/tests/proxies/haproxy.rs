//! HAProxy, Debian's.

use std::path::Path;
use std::process::Command;

use crate::behaviours;
use crate::support::{Programs, Recipe, Told};

pub(crate) const HAPROXY: Recipe = Recipe {
    folder: "haproxy",
    ready: "as the polling mechanism",
    command,
    behind_balancer: &[(
        "# http-request set-src req.hdr_ip(x-forwarded-for,-1) if { src 192.0.2.1 }",
        "http-request set-src req.hdr_ip(x-forwarded-for,-1) if { src 192.0.2.1 }",
    )],
    told: Told::Client,
    keeps_targets: true,
    when_hung: 503,
    when_dead: 503,
    says_when_to_return: true,
};

/// One process, so that none is left when it is killed.
fn command(folder: &Path) -> Command {
    let mut command = Command::new(Programs::find("haproxy"));
    command.args(["-db", "-V", "-f"]);
    command.arg(folder.join("haproxy.cfg"));
    command
}

#[tokio::test]
async fn denies_the_eleventh_until_retry_after() {
    behaviours::denies_the_eleventh_until_retry_after(&HAPROXY).await;
}

#[tokio::test]
async fn believes_nothing_that_clients_say_of_themselves() {
    behaviours::believes_nothing_that_clients_say_of_themselves(&HAPROXY).await;
}

#[tokio::test]
async fn believes_a_load_balancer_and_not_its_clients() {
    behaviours::believes_a_load_balancer_and_not_its_clients(&HAPROXY).await;
}

#[tokio::test]
async fn policies_see_method_host_and_fields() {
    behaviours::policies_see_method_host_and_fields(&HAPROXY).await;
}

#[tokio::test]
async fn policies_see_each_spelling_of_a_path() {
    behaviours::policies_see_each_spelling_of_a_path(&HAPROXY).await;
}

#[tokio::test]
async fn passes_bodies_whole() {
    behaviours::passes_bodies_whole(&HAPROXY).await;
}

#[tokio::test]
async fn each_location_is_open_or_closed_while_nobody_answers() {
    behaviours::each_location_is_open_or_closed_while_nobody_answers(&HAPROXY).await;
}

#[tokio::test]
async fn a_denial_without_the_store_is_a_denial() {
    behaviours::a_denial_without_the_store_is_a_denial(&HAPROXY).await;
}
