//! How the client library is set up: all that it could queue, repeat or wait for by itself.

use std::time::Duration;

use redis::io::tcp::{TcpSettings, socket2::TcpKeepalive};
use redis::{AsyncConnectionConfig, ConnectionInfo, ProtocolVersion};

use super::round_trip::MOST;

/// When the system begins to ask whether a silent server is still there.
const KEEPALIVE: Duration = Duration::from_secs(15);
/// How long the system waits for what was sent to be acknowledged before it gives a connection up.
/// Calls have failed and have left the connection long before.
#[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
const USER_TIMEOUT: Duration = Duration::from_secs(5);

/// How many commands the library holds before whoever sends has to wait: as many as are ever under
/// way.
const PIPELINE: usize = MOST;

/// Settings of connections. The library waits for nothing by itself: whoever calls keeps the time.
pub(super) fn connection() -> AsyncConnectionConfig {
    AsyncConnectionConfig::new()
        .set_connection_timeout(None)
        .set_response_timeout(None)
        .set_pipeline_buffer_size(PIPELINE)
}

/// The same server, with settings of this crate in place of the library's.
pub(super) fn server(info: ConnectionInfo) -> ConnectionInfo {
    // The third protocol tells when a connection has ended; servers have it since 6.0.
    let redis = info
        .redis_settings()
        .clone()
        .set_protocol(ProtocolVersion::RESP3)
        .set_skip_set_lib_name();
    // The library leaves it to the system to hold small writes back until earlier ones are
    // acknowledged: a round trip for every second call.
    let tcp = TcpSettings::default()
        .set_nodelay(true)
        .set_keepalive(TcpKeepalive::new().with_time(KEEPALIVE));
    #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
    let tcp = tcp.set_user_timeout(USER_TIMEOUT);
    info.set_redis_settings(redis).set_tcp_settings(tcp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use redis::IntoConnectionInfo;

    /// What the library queues, repeats and waits for: a setting that it adds, or a default that it
    /// changes, must be looked at.
    #[test]
    fn every_setting_of_a_connection_is_known() {
        assert_eq!(
            format!("{:?}", connection()),
            "AsyncConnectionConfig { response_timeout: None, connection_timeout: None, \
             pipeline_buffer_size: Some(64), concurrency_limit: None, \
             write_backpressure_boundary: None, push_sender: \"not set\", \
             subscription_tracker: \"not set\", dns_resolver: \"not set\" }"
        );
    }

    #[test]
    fn every_setting_of_a_server_is_known() {
        let info = server("redis://127.0.0.1".into_connection_info().unwrap());
        let tcp = info.tcp_settings();
        assert!(tcp.nodelay());
        assert_eq!(
            format!("{:?}", tcp.keepalive().unwrap()),
            format!("{:?}", TcpKeepalive::new().with_time(KEEPALIVE))
        );
        #[cfg(target_os = "linux")]
        assert_eq!(tcp.user_timeout(), Some(USER_TIMEOUT));
        assert_eq!(info.redis_settings().protocol(), ProtocolVersion::RESP3);
    }
}
