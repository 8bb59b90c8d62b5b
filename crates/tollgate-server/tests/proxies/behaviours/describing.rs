//! Policies are told what the client has asked for.

use crate::support::{Daemon, Proxy, Recipe};

const BLOCKS: &str = "
[[policy]]
name = 'path'
match = { path = '/intern/**' }
block = true

[[policy]]
name = 'method'
match = { method = 'DELETE' }
block = true

[[policy]]
name = 'host'
match = { host = 'intern.example' }
block = true

[[policy]]
name = 'field'
match = { 'header.x-plan' = 'none' }
block = true
";

pub(crate) async fn policies_see_method_host_and_fields(recipe: &Recipe) {
    let daemon = Daemon::start(BLOCKS).await;
    let proxy = Proxy::start(recipe, daemon.port).await;
    let client = proxy.client(1);
    let ask = async |method, headers: &[(&str, &str)]| {
        client.ask(method, "/free?a=%2Fb&c", headers, "").await
    };
    for method in ["GET", "POST", "PATCH"] {
        let answer = ask(method, &[("x-plan", "gold")]).await;
        let echo = answer.echo();
        assert_eq!(echo.method, method);
        assert_eq!(echo.target, "/free?a=%2Fb&c");
        assert_eq!(echo.headers["x-plan"], "gold");
    }
    ask("DELETE", &[]).await.problem(403);
    ask("GET", &[("host", "intern.example")]).await.problem(403);
    ask("GET", &[("x-plan", "none")]).await.problem(403);
    // It is not what the client says that it has asked for.
    let claims = [
        ("x-forwarded-host", "intern.example"),
        ("x-forwarded-method", "DELETE"),
        ("x-original-method", "DELETE"),
        ("x-forwarded-uri", "/intern/a"),
        ("x-original-uri", "/intern/a"),
    ];
    ask("GET", &claims).await.echo();
}

pub(crate) async fn policies_see_each_spelling_of_a_path(recipe: &Recipe) {
    let daemon = Daemon::start(BLOCKS).await;
    let proxy = Proxy::start(recipe, daemon.port).await;
    let client = proxy.client(1);
    for target in [
        "/intern/a",
        "//intern//a",
        "/./intern/a",
        "/free/../intern/a",
        "/free/%2e%2e/intern/a",
        "/%69ntern/a",
        "/intern/a?b=/../../free",
        "/public/../intern/a",
        "/public/%2E%2e/intern/a",
        "/intern%2fa",
        "/intern;x/a",
        "/INTERN/a",
    ] {
        let answer = client.get(target).await;
        assert_eq!(answer.status, 403, "{target} {answer:?}");
    }
    for target in [
        "/free?/intern/a",
        "/free/intern/a",
        "/free/%C3%A4",
        "/?x=/intern/a",
    ] {
        let echo = client.get(target).await.echo();
        if recipe.keeps_targets {
            assert_eq!(echo.target, target);
        }
    }
}

pub(crate) async fn passes_bodies_whole(recipe: &Recipe) {
    let daemon = Daemon::start(BLOCKS).await;
    let proxy = Proxy::start(recipe, daemon.port).await;
    let client = proxy.client(1);
    // Some that a buffer holds, and some that none does.
    for length in [0, 5, 300_000] {
        let body = "tollgate".repeat(length);
        let body = body.get(..length).unwrap();
        let echo = client.ask("POST", "/places", &[], body).await.echo();
        assert_eq!(echo.method, "POST");
        assert!(echo.body == body, "{length}: {}", echo.body.len());
    }
}
