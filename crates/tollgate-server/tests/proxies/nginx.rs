//! nginx, Debian's.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::behaviours;
use crate::support::{DaemonProcess, Programs, Proxy, Recipe, Told};

pub(crate) const NGINX: Recipe = Recipe {
    folder: "nginx",
    ready: "event method",
    command,
    behind_balancer: &[
        (
            "# set_real_ip_from  192.0.2.1;",
            "set_real_ip_from  192.0.2.1;",
        ),
        (
            "# real_ip_header    X-Forwarded-For;",
            "real_ip_header    X-Forwarded-For;",
        ),
        ("# real_ip_recursive on;", "real_ip_recursive on;"),
    ],
    told: Told::Client,
    keeps_targets: true,
    when_hung: 503,
    when_dead: 503,
    says_when_to_return: true,
};

/// What nginx needs around a file of `conf.d`. It is one process, so that none is left when it is killed.
const AROUND: &str = "
daemon off;
master_process off;
pid nginx.pid;
error_log stderr notice;
error_log error.log warn;
events {}
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include FILE;
}
";

fn command(folder: &Path) -> Command {
    run(folder, "tollgate.conf")
}

/// Runs an nginx by one of the files of `conf.d`.
pub(crate) fn run(folder: &Path, file: &str) -> Command {
    let around = AROUND.replace("FILE", file);
    fs::write(folder.join("nginx.conf"), around).unwrap();
    let mut command = Command::new(Programs::find("nginx"));
    command.args(["-e", "stderr", "-c", "nginx.conf", "-p"]);
    command.arg(folder);
    command
}

#[tokio::test]
async fn denies_the_eleventh_until_retry_after() {
    behaviours::denies_the_eleventh_until_retry_after(&NGINX).await;
}

#[tokio::test]
async fn believes_nothing_that_clients_say_of_themselves() {
    behaviours::believes_nothing_that_clients_say_of_themselves(&NGINX).await;
}

#[tokio::test]
async fn believes_a_load_balancer_and_not_its_clients() {
    behaviours::believes_a_load_balancer_and_not_its_clients(&NGINX).await;
}

#[tokio::test]
async fn policies_see_method_host_and_fields() {
    behaviours::policies_see_method_host_and_fields(&NGINX).await;
}

#[tokio::test]
async fn policies_see_each_spelling_of_a_path() {
    behaviours::policies_see_each_spelling_of_a_path(&NGINX).await;
}

#[tokio::test]
async fn passes_bodies_whole() {
    behaviours::passes_bodies_whole(&NGINX).await;
}

#[tokio::test]
async fn each_location_is_open_or_closed_while_nobody_answers() {
    behaviours::each_location_is_open_or_closed_while_nobody_answers(&NGINX).await;
}

#[tokio::test]
async fn a_denial_without_the_store_is_a_denial() {
    behaviours::a_denial_without_the_store_is_a_denial(&NGINX).await;
}

#[tokio::test]
async fn keeps_its_connections() {
    behaviours::keeps_its_connections(&NGINX).await;
}

#[tokio::test]
async fn a_denial_is_no_error_in_its_log() {
    let block = "[[policy]]\nname = 'intern'\nmatch = { path = '/intern' }\nblock = true";
    let mut daemon = DaemonProcess::start(block);
    let proxy = Proxy::start(&NGINX, daemon.port).await;
    let log = || fs::read_to_string(proxy.folder.path().join("error.log")).unwrap();
    proxy.client(1).get("/intern").await.problem(403);
    assert_eq!(log(), "");
    // An outage is.
    daemon.kill();
    proxy.client(1).get("/intern").await.problem(503);
    let log = log();
    assert!(log.contains("Connection refused"), "{log}");
}
