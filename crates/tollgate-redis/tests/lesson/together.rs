//! Processes that ask at the same moment.

use tollgate_testkit::given::limit;

use crate::given::{Classroom, assert_is_on_the_page};

/// Ten processes read a count, see that there is room, and each writes it one higher: in the order
/// that makes the most of it, which under load is a common one.
#[tokio::test]
async fn a_count_that_is_read_and_then_written_admits_too_many() {
    let mut classroom = Classroom::open().await;
    let mut seen = Vec::new();
    for _ in 0..10 {
        let count: Option<u64> = classroom.run(&["GET", "naive"]).await;
        seen.push(count.unwrap_or(0));
    }
    let mut admitted = 0;
    for count in seen {
        if count < 5 {
            admitted += 1;
            let _: () = classroom
                .run(&["SET", "naive", &(count + 1).to_string(), "EX", "60"])
                .await;
        }
    }
    let counted: u64 = classroom.run(&["GET", "naive"]).await;
    assert_eq!((admitted, counted), (10, 1));
    assert_is_on_the_page(&format!("| `GET`, then `SET` | {admitted} | {counted} |"));

    let ours = classroom.admitted(&limit("5/min fixed-window"), 10).await;
    assert_eq!(ours, 5);
    assert_is_on_the_page(&format!("| Tollgate | {ours} | {ours} |"));
}

/// A member for each instant is one for all requests of that instant.
#[tokio::test]
async fn a_log_with_instants_for_members_forgets_who_comes_at_the_same_one() {
    let mut classroom = Classroom::open().await;
    let instant = "1700000000000000";
    let mut admitted = 0;
    for _ in 0..10 {
        let _: i64 = classroom.run(&["ZADD", "naive", instant, instant]).await;
        let count: u64 = classroom.run(&["ZCARD", "naive"]).await;
        admitted += u64::from(count <= 5);
    }
    let ours = classroom.admitted(&limit("5/min sliding-log"), 10).await;
    assert_eq!((admitted, ours), (10, 5));
    assert_is_on_the_page(&format!("| `ZADD key now now` | {admitted} |"));
    assert_is_on_the_page(&format!("| Tollgate, `sliding-log` | {ours} |"));
}
