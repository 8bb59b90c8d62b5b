//! Requests around the edge of a window.

use tollgate::Micros;
use tollgate_testkit::given::limit;

use crate::given::{Classroom, assert_is_on_the_page};

/// Five requests 100 ms before a second begins, and five 100 ms after.
async fn around_the_edge(classroom: &Classroom, text: &str) -> (u64, u64) {
    let limit = limit(text);
    classroom.clock.advance(Micros::from_millis(900));
    let before = classroom.admitted(&limit, 5).await;
    classroom.clock.advance(Micros::from_millis(200));
    let after = classroom.admitted(&limit, 5).await;
    classroom.clock.advance(Micros::from_millis(900));
    (before, after)
}

#[tokio::test]
async fn a_fixed_window_lets_twice_its_number_through() {
    let classroom = Classroom::open().await;
    for (text, expected) in [
        ("5/s fixed-window", (5, 5)),
        ("5/s sliding-window", (5, 0)),
        ("5/s sliding-log", (5, 0)),
        ("5/s", (5, 1)),
    ] {
        let (before, after) = around_the_edge(&classroom, text).await;
        assert_eq!((before, after), expected, "{text}");
        assert_is_on_the_page(&format!(
            "| `{text}` | {before} | {after} | {} |",
            before + after
        ));
    }
}
