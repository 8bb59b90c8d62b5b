//! A bucket that runs dry and fills up.

use tollgate::Micros;
use tollgate_testkit::given::limit;

use crate::given::{Classroom, assert_is_on_the_page};

#[tokio::test]
async fn a_bucket_gives_its_burst_and_then_its_rate() {
    let classroom = Classroom::open().await;
    let limit = limit("1/s burst 3");
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(classroom.admitted(&limit, 1).await.to_string());
    }
    classroom.clock.advance(Micros::from_millis(1_100));
    let later = classroom.admitted(&limit, 1).await;
    assert_eq!((answers.concat().as_str(), later), ("11100", 1));
    assert_is_on_the_page(&format!("| `{limit}` | {} | {later} |", answers.join(" ")));
}
