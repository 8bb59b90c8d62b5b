//! Units.

use std::fs;

use crate::support::{read, runs, variables, workspace};

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    verify(|_| true, 4);
}

#[test]
fn a_socket_that_is_not_wanted_can_be_left_out() {
    verify(|name| name != "tollgate-redis.socket", 3);
}

fn verify(is_copied: impl Fn(&str) -> bool, expected: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut units = Vec::new();
    for entry in fs::read_dir(workspace().join("deploy/systemd")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let here = text.replace("/usr/local/bin/tollgate", env!("CARGO_BIN_EXE_tollgate"));
        if !is_copied(path.file_name().unwrap().to_str().unwrap()) {
            continue;
        }
        let unit = folder.path().join(path.file_name().unwrap());
        fs::write(&unit, here).unwrap();
        units.push(unit.to_str().unwrap().to_owned());
    }
    assert_eq!(units.len(), expected);
    let mut arguments = vec!["verify"];
    arguments.extend(units.iter().map(String::as_str));
    let said = runs("systemd-analyze", "systemd", &arguments);
    assert_eq!(said.trim(), "");
}

#[test]
fn the_service_takes_the_sockets_by_the_names_that_they_have() {
    let service = read("deploy/systemd/tollgate.service");
    for (name, variable) in [("http", "HTTP"), ("grpc", "GRPC"), ("redis", "REDIS")] {
        let socket = read(&format!("deploy/systemd/tollgate-{name}.socket"));
        assert!(socket.contains(&format!("FileDescriptorName={name}\n")));
        let variable = format!("TOLLGATE_{variable}");
        assert!(service.contains(&format!("{variable}=systemd:{name}")));
        assert!(variables().contains(&variable));
    }
}
