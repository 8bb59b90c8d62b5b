//! The pictures of docs/algorithms.md are those that `tollgate try` draws.

use std::fs;
use std::path::Path;

use crate::transcript::{shell, workspace};

/// As docs/algorithms.md says: one request every two seconds, from half a minute on.
const TRACE: &str = "seq 30 2 150";
const ALGORITHMS: [&str; 4] = [
    "token-bucket",
    "fixed-window",
    "sliding-window",
    "sliding-log",
];

#[test]
fn are_drawn_by_the_command_that_the_page_names() {
    let page = fs::read_to_string(workspace().join("docs/algorithms.md")).unwrap();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for algorithm in ALGORITHMS {
        let drawn = scratch.join(format!("{algorithm}.svg"));
        let limit = match algorithm {
            "token-bucket" => "10/min".to_owned(),
            other => format!("10/min {other}"),
        };
        let command = format!("{TRACE} | tollgate try '{limit}' --plot");
        let output = shell(&format!("{command} {}", drawn.display()))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let drawn = fs::read_to_string(drawn).unwrap();
        let picture = format!("pictures/{algorithm}.svg");
        assert!(page.contains(&format!("]({picture})")), "{picture}");
        let kept = workspace().join("docs").join(&picture);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&kept, &drawn).unwrap();
        }
        let kept = fs::read_to_string(kept).unwrap();
        assert!(
            kept == drawn,
            "{picture} is not what {command} draws; UPDATE_GOLDEN=1 writes it"
        );
        // What the page says of the picture.
        let admitted = drawn.split("admitted ").nth(1).unwrap();
        let admitted = admitted.split('"').next().unwrap();
        let row = format!("| `{algorithm}` | {admitted} |");
        assert!(page.contains(&row), "{row}");
    }
    assert!(page.contains(TRACE));
}
