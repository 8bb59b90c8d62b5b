//! The report at a terminal.

use tollgate_replay::render::{TextOptions, text};

use crate::fixtures;

#[test]
fn show() {
    for (name, report) in fixtures::all() {
        for width in [50, 80, 120] {
            for colour in [false, true] {
                let text = text(&report, &TextOptions { width, colour });
                let file = format!(
                    "/tmp/render/{name}-{width}-{}.txt",
                    if colour { "colour" } else { "plain" }
                );
                std::fs::write(file, text).unwrap();
            }
        }
    }
}
