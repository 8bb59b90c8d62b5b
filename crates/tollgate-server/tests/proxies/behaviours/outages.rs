//! Nobody answers the proxy, or what it is answered was decided without the store.

use crate::support::{Client, Daemon, DaemonProcess, Proxy, Recipe};

const BLOCKED: &str = "
[[policy]]
name = 'intern'
match = { path = ['/intern/**', '/public/intern/**'] }
block = true
";

/// What is served, and what is blocked, with a daemon.
async fn is_limited(client: Client) {
    client.get("/free").await.echo();
    client.get("/public/a").await.echo();
    client.get("/intern/a").await.problem(403);
    client.get("/public/intern/a").await.problem(403);
}

/// The same without one.
async fn is_open_or_closed(client: Client, status: u16, recipe: &Recipe) {
    for closed in [
        "/free",
        "/intern/a",
        "/public/../free",
        "/public/%2e%2e/free",
    ] {
        let answer = client.get(closed).await;
        assert_eq!(answer.status, status, "{closed} {answer:?}");
        assert_eq!(answer.field("ratelimit"), None);
        if recipe.says_when_to_return {
            assert_eq!(answer.field("retry-after"), Some("1"), "{closed}");
            assert_eq!(answer.field("cache-control"), Some("no-store"), "{closed}");
        }
    }
    for open in ["/public/a", "/public/intern/a"] {
        client.get(open).await.echo();
    }
    let echo = client.ask("POST", "/public/a", &[], "all of it").await;
    let echo = echo.echo();
    assert_eq!(echo.method, "POST");
    assert_eq!(echo.body, "all of it");
}

pub(crate) async fn each_location_is_open_or_closed_while_nobody_answers(recipe: &Recipe) {
    let mut daemon = DaemonProcess::start(BLOCKED);
    let proxy = Proxy::start_before_hanging(recipe, daemon.port).await;
    let client = proxy.client(1);
    is_limited(client).await;
    daemon.hang();
    is_open_or_closed(client, recipe.when_hung, recipe).await;
    daemon.resume();
    is_limited(client).await;
    daemon.kill();
    is_open_or_closed(client, recipe.when_dead, recipe).await;
    daemon.start_again();
    is_limited(client).await;
}

/// Nobody listens there.
const AWAY: &str = "
[store]
url = 'redis://127.0.0.1:1'

[[policy]]
name = 'strict'
match = { path = ['/auth/**', '/public/**'] }
key = ['client.ip']
limits = ['10/min']
on_store_failure = 'deny'

[[policy]]
name = 'lenient'
match = { path = '/lenient/**' }
key = ['client.ip']
limits = ['10/min']
on_store_failure = 'allow'
";

pub(crate) async fn a_denial_without_the_store_is_a_denial(recipe: &Recipe) {
    let daemon = Daemon::start(AWAY).await;
    let proxy = Proxy::start(recipe, daemon.port).await;
    let client = proxy.client(1);
    // Also where requests are let through without an answer: this is one.
    for strict in ["/auth/login", "/public/a"] {
        let answer = client.get(strict).await;
        answer.problem(503);
        assert_eq!(answer.field("retry-after"), Some("5"));
    }
    client.get("/lenient/a").await.echo();
}
