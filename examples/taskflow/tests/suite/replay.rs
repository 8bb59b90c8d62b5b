//! What was decided for live requests, and what a replay of the proxy's logs says of them.

use std::collections::BTreeMap;

use crate::support::nginx::{Logged, Nginx, NginxClient, logged};
use crate::support::program::Program;

/// The policy of the service, as a file has it.
const POLICY: &str = r#"
[[policy]]
name = "auth"
match = { path = "/auth/**" }
key = ["client.ip"]
limits = ["10/min fixed-window"]
"#;

/// As many clients, each of which tries once more than the one before, and has five tries more than
/// the limit at most.
const CLIENTS: u8 = 8;

const MINUTE: u64 = 60_000_000;

/// Seconds that nginx's usual log cannot tell apart.
const RESOLUTION: u64 = 1_000_000;

/// Everyone tries to log in, one after the other in turns; how many tries were denied.
async fn everyone_tries(clients: &[NginxClient]) -> u64 {
    let mut denied = 0;
    for turn in 0..8 + CLIENTS {
        for (client, tries) in clients.iter().zip(8..) {
            if turn < tries {
                denied += u64::from(client.log_in().await == 429);
            }
        }
    }
    denied
}

/// Asks for what takes its time until a minute has begun that has 40 seconds left and more, and is
/// older than the log's resolution.
async fn into_a_minute(client: &NginxClient, other_than: Option<u8>) -> u8 {
    loop {
        let (minute, second) = client.slow().await;
        if other_than != Some(minute) && (2..20).contains(&second) {
            return minute;
        }
    }
}

/// Requests that may be in one minute by one log and in another by the limiter.
fn between_minutes(trace: &[Logged]) -> u64 {
    let logins = trace.iter().filter(|logged| logged.is_login);
    let between =
        logins.filter(|logged| (logged.begin - RESOLUTION) / MINUTE != logged.end / MINUTE);
    between.count().try_into().unwrap()
}
