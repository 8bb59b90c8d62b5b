//! The daemon's HTTP surface, asked without a connection.

mod check;
mod forward_auth;

pub use check::http_check;
pub use forward_auth::http_forward_auth;

use std::fs;
use std::sync::LazyLock;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use tokio::runtime::{Builder, Runtime};
use tollgate::{ManualClock, Timestamp};
use tollgate_engine::Engine;
use tollgate_server::{ServerSettings, http_routes};
use tower_service::Service as _;

const POLICIES: &str = "
[store]
max_keys = 1000

[client]
trusted_proxies = ['10.0.0.0/8']

[response]
count_preflight = true

[[policy]]
name = 'closed'
match = { path = '/closed/**' }
block = true

[[policy]]
name = 'users'
key = ['user or client.ip']
limits = ['10/s', '1000/h sliding-window']
missing_key = 'skip'

[[policy]]
name = 'writes'
match = { method = ['POST', 'PUT'], host = 'api.example' }
key = ['header.x-user']
limits = ['2/min sliding-log']
";

/// The surface, and what it runs on.
struct Surface {
    routes: Router,
    runtime: Runtime,
}

static SURFACE: LazyLock<Surface> = LazyLock::new(Surface::new);

/// What was answered.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Surface {
    #[expect(clippy::expect_used, reason = "nothing of it depends on an input")]
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder of one's own");
        let path = folder.path().join("tollgate.toml");
        fs::write(&path, POLICIES).expect("a file in it");
        let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
        let engine = Engine::builder(path).clock(clock).open();
        let engine = engine.expect("policies that are right");
        let runtime = Builder::new_current_thread().enable_time().build();
        Self {
            routes: http_routes(engine, &ServerSettings::default()),
            runtime: runtime.expect("a runtime without input and output"),
        }
    }

    /// Asks, and checks what holds of every answer: it is empty or JSON, and says its own status.
    fn ask(&self, request: Request<Body>) -> Answer {
        self.runtime.block_on(async {
            let Ok(response) = self.routes.clone().call(request).await;
            let (parts, body) = response.into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
            let answer = Answer {
                status: parts.status,
                headers: parts.headers,
                body: body.into(),
            };
            answer.check();
            answer
        })
    }
}

impl Answer {
    fn check(&self) {
        if self.body.is_empty() {
            assert!(self.status.is_success());
            return;
        }
        let json = self.json();
        let media_type = self.field("content-type");
        if media_type == Some("application/problem+json") {
            let status = self.field("x-tollgate-status");
            let status = status.unwrap_or(self.status.as_str());
            assert_eq!(json["status"].to_string(), status);
            assert!(json["detail"].is_string());
        } else {
            assert_eq!(media_type, Some("application/json"));
            assert!(matches!(self.status.as_u16(), 200 | 400 | 403 | 429));
        }
    }

    fn json(&self) -> serde_json::Value {
        let json = serde_json::from_slice(&self.body);
        assert!(json.is_ok(), "no JSON: {}", self.body.escape_ascii());
        json.unwrap_or_default()
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
