//! What the service manager is told.

use std::os::unix::net::UnixDatagram;

use crate::process::{Daemon, folder, path, serve};

#[test]
fn the_service_manager_is_told_what_goes_on() {
    let folder = folder();
    let name = path(&folder, "notify");
    let manager = UnixDatagram::bind(&name).unwrap();
    let told = || {
        let mut text = [0; 100];
        let length = manager.recv(&mut text).unwrap();
        String::from_utf8(text[..length].to_vec()).unwrap()
    };
    let daemon = Daemon::start(serve(folder.path()).env("NOTIFY_SOCKET", &name));
    assert_eq!(told(), "READY=1");
    daemon.signal("-HUP");
    assert_eq!(told(), "RELOADING=1");
    assert_eq!(told(), "READY=1");
    daemon.signal("-TERM");
    assert_eq!(told(), "STOPPING=1");
    assert!(daemon.end().success());
}
