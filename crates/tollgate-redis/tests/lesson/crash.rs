//! A process that ends between two commands.

use tollgate_testkit::given::limit;

use crate::given::{Classroom, KEY, assert_is_on_the_page};

/// The counter of many tutorials: one command counts, and another, if the count is the first, gives
/// the key its lifetime.
async fn naive(classroom: &mut Classroom, key: &str) -> bool {
    let count: i64 = classroom.run(&["INCR", key]).await;
    if count == 1 {
        let _: i64 = classroom.run(&["EXPIRE", key, "60"]).await;
    }
    count <= 5
}

#[tokio::test]
async fn a_counter_that_lost_its_lifetime_blocks_for_ever() {
    let mut classroom = Classroom::open().await;
    // A process counts its first request, and ends.
    let _: i64 = classroom.run(&["INCR", "naive"]).await;
    let mut admitted = 0;
    for _ in 0..20 {
        admitted += u32::from(naive(&mut classroom, "naive").await);
    }
    let ttl: i64 = classroom.run(&["TTL", "naive"]).await;
    assert_is_on_the_page(&format!(
        "| `INCR`, then `EXPIRE` | {admitted} more, then none | {ttl} | never |"
    ));
    assert_eq!((admitted, ttl), (4, -1));
}

// R4
#[tokio::test]
async fn a_count_that_lost_its_lifetime_is_healed_by_the_next_request() {
    let mut classroom = Classroom::open().await;
    let limit = limit("5/min fixed-window");
    assert_eq!(classroom.admitted(&limit, 1).await, 1);
    let key = format!("ratelimit:{{:{KEY}}}:{}", limit.id().as_u64());
    let was_taken: i64 = classroom.run(&["PERSIST", &key]).await;
    assert_eq!(was_taken, 1, "{key}");

    let admitted = classroom.admitted(&limit, 20).await;
    let ttl: i64 = classroom.run(&["TTL", &key]).await;
    // The next window begins in less than a minute, and all of it is to be had.
    classroom.clock.advance(limit.period());
    assert_eq!(classroom.admitted(&limit, 20).await, 5);
    assert_is_on_the_page(&format!(
        "| Tollgate | {admitted} more, then none | above 0 | when the minute ends |"
    ));
    assert!(admitted == 4 && ttl > 0, "{admitted} {ttl}");
}
