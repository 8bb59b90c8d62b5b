//! Names of files that would do something to a terminal.

use std::fs;

use crate::run::{Ended, tollgate};
use crate::traffic::directory;

/// Clears the screen, and begins a line.
const NAME: &str = "a\x1b[2J\nb.toml";
const SHOWN: &str = r"a\u{1b}[2J\nb.toml";

#[test]
fn a_policy_files_name_is_shown_escaped() {
    let place = directory("names");
    let right = "[[policy]]\nname = \"all\"\nshared = true\nlimits = [\"1/min\"]\n";
    let unlimited = "[[policy]]\nname = \"all\"\nshared = true\nunlimited = true\n";
    let wrong = "[[policy]]\nname = \"all\"\nlimit = [\"30/min\"]\n";
    fs::write(place.join("old.toml"), unlimited).unwrap();
    let file = format!("'{NAME}'");
    let told = |command: &str, code: i32| {
        let ended = tollgate(&place, command);
        assert_eq!(ended.code, code, "{command}: {ended:?}");
        let Ended { output, errors, .. } = &ended;
        assert!(
            !output.contains('\x1b') && !errors.contains('\x1b'),
            "{command}: {ended:?}"
        );
        assert!(
            [output, errors]
                .iter()
                .any(|told| told.contains(r"a\u{1b}[2J")),
            "{command}: {ended:?}"
        );
        ended
    };
    for text in [None, Some(wrong)] {
        if let Some(text) = text {
            fs::write(place.join(NAME), text).unwrap();
        }
        let ended = told(&format!("check {file}"), 1);
        assert!(ended.output.contains(&format!("--> {SHOWN}")), "{ended:?}");
        told(&format!("explain {file} --attr path=/"), 1);
        told(&format!("replay --policies {file} access.log"), 1);
        told(&format!("diff old.toml {file} access.log"), 1);
        told(
            &format!("serve --policies {file} --http 127.0.0.1:0 --grpc off --redis off"),
            1,
        );
    }
    fs::write(place.join(NAME), right).unwrap();
    told(&format!("check {file}"), 0);
    let ended = told(
        &format!("diff old.toml {file} access.log --max-newly-denied 0.1%"),
        2,
    );
    assert!(
        ended
            .output
            .starts_with(&format!("from old.toml to {SHOWN}\n")),
        "{ended:?}"
    );
    assert!(
        ended.errors.contains(&format!("{SHOWN} newly denies")),
        "{ended:?}"
    );
    // A log of such a name, and a page.
    told(&format!("replay --policies old.toml {file}.log"), 1);
    told(
        &format!("replay --policies old.toml access.log --html {file}"),
        64,
    );
}
