//! A client that does not stop asking.

use tollgate::Micros;
use tollgate_testkit::given::limit;

use crate::given::{Classroom, assert_is_on_the_page};

/// Minutes for which someone asks twice a second.
const MINUTES: u64 = 3;

/// A log that is written before it is read also counts who is denied.
async fn naive(classroom: &mut Classroom, millis: u64) -> bool {
    let (now, old) = (millis.to_string(), (millis - 60_000).to_string());
    let _: i64 = classroom
        .run(&["ZREMRANGEBYSCORE", "naive", "0", &old])
        .await;
    let _: i64 = classroom.run(&["ZADD", "naive", &now, &now]).await;
    let count: u64 = classroom.run(&["ZCARD", "naive"]).await;
    count <= 5
}

#[tokio::test]
async fn a_log_that_counts_denials_locks_an_eager_client_out() {
    let mut classroom = Classroom::open().await;
    let limit = limit("5/min sliding-log");
    let (mut theirs, mut ours) = (0, 0);
    for step in 0..MINUTES * 120 {
        theirs += u64::from(naive(&mut classroom, 1_000_000 + step * 500).await);
        ours += classroom.admitted(&limit, 1).await;
        classroom.clock.advance(Micros::from_millis(500));
    }
    assert_eq!((theirs, ours), (5, 5 * MINUTES));
    assert_is_on_the_page(&format!("| `ZADD`, then `ZCARD` | {theirs} |"));
    assert_is_on_the_page(&format!(
        "| Tollgate, `sliding-log`, for minutes | {ours} |"
    ));
}
