//! A Caddy that is years younger than Debian's.

use std::path::Path;
use std::process::Command;

use crate::behaviours;
use crate::caddy::{CADDY, run};
use crate::support::{Programs, Recipe};

const LATER_CADDY: Recipe = Recipe { command, ..CADDY };

fn command(folder: &Path) -> Command {
    run(folder, &Programs::part("caddy"))
}

#[tokio::test]
async fn denies_the_eleventh_until_retry_after() {
    behaviours::denies_the_eleventh_until_retry_after(&LATER_CADDY).await;
}

#[tokio::test]
async fn believes_nothing_that_clients_say_of_themselves() {
    behaviours::believes_nothing_that_clients_say_of_themselves(&LATER_CADDY).await;
}

#[tokio::test]
async fn believes_a_load_balancer_and_not_its_clients() {
    behaviours::believes_a_load_balancer_and_not_its_clients(&LATER_CADDY).await;
}

#[tokio::test]
async fn policies_see_method_host_and_fields() {
    behaviours::policies_see_method_host_and_fields(&LATER_CADDY).await;
}

#[tokio::test]
async fn policies_see_each_spelling_of_a_path() {
    behaviours::policies_see_each_spelling_of_a_path(&LATER_CADDY).await;
}

#[tokio::test]
async fn passes_bodies_whole() {
    behaviours::passes_bodies_whole(&LATER_CADDY).await;
}

#[tokio::test]
async fn each_location_is_open_or_closed_while_nobody_answers() {
    behaviours::each_location_is_open_or_closed_while_nobody_answers(&LATER_CADDY).await;
}

#[tokio::test]
async fn a_denial_without_the_store_is_a_denial() {
    behaviours::a_denial_without_the_store_is_a_denial(&LATER_CADDY).await;
}

#[tokio::test]
async fn keeps_its_connections() {
    behaviours::keeps_its_connections(&LATER_CADDY).await;
}
