//! The guide to replays shows what is printed.

use crate::traffic::directory;
use crate::transcript::{check_in, workspace};

#[test]
fn the_guide_to_replays_shows_what_is_printed() {
    check_in(
        &directory("replay-guide"),
        &workspace().join("docs/replay.md"),
    );
}
