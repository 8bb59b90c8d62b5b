//! nginx with a server of its own, of which only the login is limited.

use std::path::Path;
use std::process::Command;

use crate::behaviours;
use crate::nginx::{NGINX, run};
use crate::support::{DaemonProcess, Proxy, Recipe};

const LOGIN: Recipe = Recipe { command, ..NGINX };

fn command(folder: &Path) -> Command {
    run(folder, "login.conf")
}

#[tokio::test]
async fn denies_the_eleventh_until_retry_after() {
    behaviours::denies_the_eleventh_until_retry_after(&LOGIN).await;
}

#[tokio::test]
async fn believes_nothing_that_clients_say_of_themselves() {
    behaviours::believes_nothing_that_clients_say_of_themselves(&LOGIN).await;
}

#[tokio::test]
async fn without_a_daemon_nobody_logs_in_and_everything_else_is_served() {
    let mut daemon = DaemonProcess::start(
        "[[policy]]\nname = 'login'\nmatch = { path = '/auth/closed' }\nblock = true\n\
         [[policy]]\nname = 'all'\nmatch = { path = '/other' }\nblock = true\n",
    );
    let proxy = Proxy::start(&LOGIN, daemon.port).await;
    let client = proxy.client(1);
    client.get("/auth/login").await.echo();
    client.get("/auth/closed").await.problem(403);
    // It is not asked about.
    client.get("/other").await.echo();
    daemon.kill();
    for login in [
        "/auth/login",
        "/auth//login",
        "/x/../auth/login",
        "/%61uth/login",
        "//auth/login",
    ] {
        let answer = client.get(login).await;
        answer.problem(503);
        assert_eq!(answer.field("retry-after"), Some("1"));
        assert_eq!(answer.field("cache-control"), Some("no-store"));
    }
    let echo = client.ask("POST", "/other", &[], "all of it").await;
    assert_eq!(echo.echo().body, "all of it");
    daemon.start_again();
    client.get("/auth/login").await.echo();
}
