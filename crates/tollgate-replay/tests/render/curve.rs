//! What other numbers would have done: of a policy with several limits, all are multiplied.

use tollgate_replay::render::{TextOptions, html, text};

use crate::fixtures;

#[test]
fn of_several_limits_it_is_said_that_all_are_multiplied() {
    let report = fixtures::rich();
    let said = "All limits of the policy are multiplied together; the first of them is shown.";
    let options = TextOptions {
        width: 100,
        colour: false,
    };
    let text = text(&report, &options);
    let (login, rest) = text.split_once("Policy api-read").unwrap();
    assert!(login.contains("with the limit ") && !login.contains(said));
    assert!(rest.contains("with all limits ") && rest.contains(said));
    let page = html(&report);
    let (login, rest) = page.split_once("<h2 id=\"policy-2\"").unwrap();
    assert!(login.contains("The present limit, 10/min fixed-window, denies 69.8% of"));
    assert!(login.contains("limit, as a multiple of 10/min fixed-window"));
    assert!(rest.contains("The present limits together deny 1.4% of the requests"));
    assert!(rest.contains("all limits together, as a multiple of the present ones"));
    assert!(rest.contains("From ×0.25 to ×8, the denied share"));
    assert!(!rest.contains("present limit, 60/min"));
}
