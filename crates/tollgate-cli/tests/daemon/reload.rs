//! Files that change under load.

use std::fs;

use tollgate_testkit::RedisServer;
use tollgate_testkit::redis::Certificates;

use crate::client::Load;
use crate::process::{Daemon, POLICY, folder, path, policies_in, serve};

#[test]
fn a_reload_under_load_drops_no_request_and_no_connection_and_what_was_used_stays_used() {
    let redis = RedisServer::start();
    let folder = folder();
    let policies = policies_in(&redis, 300);
    fs::write(path(&folder, "tollgate.toml"), &policies).unwrap();
    let daemon = Daemon::start(&mut serve(folder.path()));
    let load = Load::start(daemon.port(), 2);
    for round in 2..12 {
        load.await_answers(100);
        let more = format!("[[policy]]\nname = 'x{round}'\nkey = ['user']\nlimits = ['9/min']\n");
        let more = format!("{policies}{more}missing_key = 'skip'\n");
        fs::write(path(&folder, "tollgate.toml"), more).unwrap();
        daemon.signal("-HUP");
        daemon.await_line("the policy file was read again");
    }
    fs::write(path(&folder, "tollgate.toml"), "nonsense").unwrap();
    daemon.signal("-HUP");
    daemon.await_line("what was in force stays");
    load.await_answers(300);
    assert_eq!(load.admitted(), 300);
    // No connection was replaced.
    assert_eq!(load.end(), Ok(2));
}

#[test]
fn a_certificate_is_read_again_when_it_is_asked_for() {
    let (old, new) = (Certificates::new(), Certificates::new());
    let folder = folder();
    let (certificate, key) = (path(&folder, "tls.crt"), path(&folder, "tls.key"));
    fs::write(&certificate, old.server_certificate().text()).unwrap();
    fs::write(&key, old.server_key().text()).unwrap();
    let daemon = Daemon::start(
        serve(folder.path())
            .args(["--tls-cert", "tls.crt", "--tls-key", "tls.key"])
            .args(["--drain-delay", "0s"]),
    );
    // Replaced as Kubernetes and certbot do it: in one step each.
    fs::write(path(&folder, "new"), new.server_certificate().text()).unwrap();
    fs::rename(path(&folder, "new"), &certificate).unwrap();
    daemon.signal("-HUP");
    let line = daemon.await_line("the certificate cannot be used; what was in use stays");
    assert!(
        line.contains("tls.key is not that of the certificate in tls.crt"),
        "{line}"
    );
    fs::write(&key, new.server_key().text()).unwrap();
    daemon.signal("-HUP");
    daemon.await_line("the certificate was read again");
    daemon.signal("-TERM");
    assert!(daemon.end().success());
}

#[test]
fn that_nothing_is_given_back_is_told_for_each_file_that_would_have_it() {
    let folder = folder();
    let file = path(&folder, "tollgate.toml");
    let failures = |name: &str| {
        let text = POLICY.replace("'all'", &format!("'{name}'"));
        format!(
            "{}count = [401]\n",
            text.replace("10/min", "10/min fixed-window")
        )
    };
    fs::write(&file, failures("login")).unwrap();
    let daemon = Daemon::start(serve(folder.path()).args(["--drain-delay", "0s"]));
    let line = daemon.said("only failures count");
    assert!(line.contains("WARN") && line.contains("login"), "{line}");
    fs::write(&file, failures("other")).unwrap();
    daemon.signal("-HUP");
    let line = daemon.await_line("only failures count");
    assert!(line.contains("other"), "{line}");
    daemon.signal("-TERM");
    assert!(daemon.end().success());
}
