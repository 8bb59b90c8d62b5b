//! nginx without `auth_request`.

use std::path::Path;
use std::process::Command;

use crate::behaviours;
use crate::nginx::{NGINX, run};
use crate::support::{Recipe, Told};

const ACCEL: Recipe = Recipe {
    command,
    told: Told::Nobody,
    ..NGINX
};

fn command(folder: &Path) -> Command {
    run(folder, "accel.conf")
}

#[tokio::test]
async fn denies_the_eleventh_until_retry_after() {
    behaviours::denies_the_eleventh_until_retry_after(&ACCEL).await;
}

#[tokio::test]
async fn believes_nothing_that_clients_say_of_themselves() {
    behaviours::believes_nothing_that_clients_say_of_themselves(&ACCEL).await;
}

#[tokio::test]
async fn believes_a_load_balancer_and_not_its_clients() {
    behaviours::believes_a_load_balancer_and_not_its_clients(&ACCEL).await;
}

#[tokio::test]
async fn policies_see_method_host_and_fields() {
    behaviours::policies_see_method_host_and_fields(&ACCEL).await;
}

#[tokio::test]
async fn policies_see_each_spelling_of_a_path() {
    behaviours::policies_see_each_spelling_of_a_path(&ACCEL).await;
}

#[tokio::test]
async fn passes_bodies_whole() {
    behaviours::passes_bodies_whole(&ACCEL).await;
}

#[tokio::test]
async fn each_location_is_open_or_closed_while_nobody_answers() {
    behaviours::each_location_is_open_or_closed_while_nobody_answers(&ACCEL).await;
}

#[tokio::test]
async fn a_denial_without_the_store_is_a_denial() {
    behaviours::a_denial_without_the_store_is_a_denial(&ACCEL).await;
}

#[tokio::test]
async fn keeps_its_connections() {
    behaviours::keeps_its_connections(&ACCEL).await;
}
