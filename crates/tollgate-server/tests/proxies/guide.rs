//! docs/daemon/proxies.md, by what it names.

use std::fs;
use std::path::Path;

use crate::caddy::CADDY;
use crate::haproxy::HAPROXY;
use crate::nginx::NGINX;
use crate::traefik::TRAEFIK;

const GUIDE: &str = include_str!("../../../../docs/daemon/proxies.md");

#[test]
fn it_names_each_file_to_copy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy");
    for recipe in [NGINX, CADDY, TRAEFIK, HAPROXY] {
        for file in fs::read_dir(root.join(recipe.folder)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let link = format!("(../../deploy/{}/{name})", recipe.folder);
            assert!(GUIDE.contains(&link), "{link}");
        }
    }
}

#[test]
fn it_tells_what_clients_get_in_an_outage() {
    for (name, recipe) in [
        ("nginx", NGINX),
        ("nginx, `accel.conf`", NGINX),
        ("Caddy", CADDY),
        ("Traefik", TRAEFIK),
        ("HAProxy", HAPROXY),
    ] {
        let (dead, hung) = (recipe.when_dead, recipe.when_hung);
        let row = format!("| {name} | {dead} | {hung} | passed on |");
        assert!(GUIDE.contains(&row), "{row}");
    }
}
