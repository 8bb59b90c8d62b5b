//! Files that change under load.

use std::fs;

use tollgate_testkit::redis::Certificates;

use crate::client::Load;
use crate::process::{Daemon, POLICY, folder, path, serve};

#[test]
fn a_reload_under_load_drops_no_request_and_no_connection() {
    let folder = folder();
    let daemon = Daemon::start(&mut serve(folder.path()));
    let load = Load::start(daemon.port(), 2);
    for round in 2..12 {
        load.await_answers(100);
        let text = POLICY.replace("10/min", &format!("{round}0/min"));
        fs::write(path(&folder, "tollgate.toml"), text).unwrap();
        daemon.signal("-HUP");
        daemon.await_line("the policy file was read again");
    }
    fs::write(path(&folder, "tollgate.toml"), "nonsense").unwrap();
    daemon.signal("-HUP");
    daemon.await_line("what was in force stays");
    load.await_answers(100);
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
