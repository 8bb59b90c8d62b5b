//! Peaks: counted in windows that begin at quarters, and said to be.

use tollgate_replay::render::{TextOptions, html, text};

use crate::fixtures;

#[test]
fn wherever_peaks_are_shown_it_is_said_in_which_windows_they_are_counted() {
    let report = fixtures::rich();
    let options = TextOptions {
        width: 120,
        colour: false,
    };
    let text = text(&report, &options);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said =
        "Counted in windows of 1 min that begin every 15 s: the most in any minute may be more.";
    assert_eq!(words.matches(said).count(), 2, "{text}");
    assert!(words.contains("windows of 1 s that begin every 250 ms: the most in any second"));
    let page = html(&report);
    for said in [
        said,
        "most units asked for in a minute, counted in windows of 1 min that begin every 15 s",
        "shaded; peaks: counted in windows of 1 min that begin every 15 s",
    ] {
        assert_eq!(page.matches(said).count(), 2, "{said}");
    }
}
