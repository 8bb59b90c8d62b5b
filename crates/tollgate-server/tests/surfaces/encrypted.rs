//! TLS on each surface, by clients that are not ours.

use std::process::Stdio;

use tokio::process::Command;
use tollgate_server::TlsFiles;
use tollgate_testkit::redis::Certificates;

use crate::daemon::{Daemon, within};
use crate::guide::path_of_tools;

const POLICIES: &str = "[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['3/365d']\n";

#[tokio::test]
async fn each_surface_is_encrypted_and_counts_together_with_the_others() {
    let certificates = Certificates::new();
    let daemon = Daemon::start(POLICIES, |it| {
        it.tls = Some(TlsFiles {
            certificate: certificates.server_certificate().path().to_owned(),
            key: certificates.server_key().path().to_owned(),
            client_ca: None,
        });
    })
    .await;
    let ports = daemon.ports;
    let home = tempfile::tempdir().unwrap();
    let authority = certificates.authority().path().display().to_string();
    let (http, grpc, redis) = (ports.http.port(), ports.grpc.port(), ports.redis.port());
    for (script, expected) in [
        (
            format!(
                "curl -sS --http2 --cacert {authority} https://localhost:{http}/v1/check \
                 -H 'content-type: application/json' -d '{{\"attributes\": {{\"user\": \"u\"}}}}'"
            ),
            r#""remaining":2,"#,
        ),
        (
            format!(
                "buf curl --protocol grpc --cacert {authority} -d '{{\"domain\": \"e\", \
                 \"descriptors\": [{{\"entries\": [{{\"key\": \"user\", \"value\": \"u\"}}]}}]}}' \
                 https://localhost:{grpc}/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit"
            ),
            r#""limitRemaining": 1"#,
        ),
        (
            format!("redis-cli -h localhost -p {redis} --tls --cacert {authority} TG.CHECK user u"),
            "1\nall\nallowed\n-1\n0\n",
        ),
    ] {
        let running = Command::new("sh")
            .args(["-c", &script])
            .env("PATH", path_of_tools())
            .env("HOME", home.path())
            .stdin(Stdio::null())
            .output();
        let output = within(running).await.unwrap();
        let told = String::from_utf8_lossy(&output.stdout).replace("\":  ", "\": ");
        assert!(told.contains(expected), "{script}: {output:?}");
    }
}
