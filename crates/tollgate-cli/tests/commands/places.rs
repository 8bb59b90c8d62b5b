//! Where `tollgate replay` writes its page, and where not.

use std::fs;

use crate::run::{shell, tollgate};
use crate::traffic::{POLICIES, directory};

#[test]
fn a_page_is_written_over_an_earlier_one_and_over_nothing_else() {
    let logs = directory("places");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    fs::write(logs.join("notes.html"), "<!doctype html><p>mine").unwrap();
    fs::write(logs.join("empty.html"), "").unwrap();
    let log = fs::read(logs.join("access.log")).unwrap();
    for (arguments, message) in [
        ("--html access.log access.log", "access.log is a log"),
        ("--html ./access.log 'access.log*'", "access.log is a log"),
        (
            "--html tollgate.toml access.log",
            "tollgate.toml is the policy file",
        ),
        ("--html access.log", "is there already"),
        ("--html access.log < access.log", "is there already"),
        ("--html notes.html access.log", "is there already"),
    ] {
        let ended = tollgate(&logs, &format!("replay {arguments}"));
        assert_eq!(ended.code, 64, "{arguments}: {ended:?}");
        assert!(ended.errors.contains(message), "{arguments}: {ended:?}");
    }
    assert_eq!(fs::read(logs.join("access.log")).unwrap(), log);
    assert_eq!(
        fs::read_to_string(logs.join("tollgate.toml")).unwrap(),
        POLICIES
    );
    for page in ["report.html", "report.html", "empty.html", "/dev/null"] {
        let ended = shell(&logs, &format!("tollgate replay --html {page} access.log"));
        assert_eq!(ended.code, 0, "{page}: {ended:?}");
    }
}
