//! Files that change under load.

use std::fs;

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
