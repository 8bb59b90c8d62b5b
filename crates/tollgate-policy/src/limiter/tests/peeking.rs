//! What would be decided.

use super::*;
use crate::MissingKey;

#[test]
fn a_peek_spends_nothing_and_says_what_a_decision_would() {
    let (limiter, _) = limiter([by_client("api", "3/min fixed-window")]);
    let request = get("/");
    let peek = |cost| ready(limiter.peek(&Question::new(&request).cost(cost)));
    for _ in 0..5 {
        let decision = peek(2);
        assert!(decision.is_allowed() && decision.only_looked());
        assert_eq!(remaining(&decision, "api"), [3]);
    }
    assert_eq!(limiter.store().keys(), 0);
    limiter.decide_question_now(&Question::new(&request).cost(2));
    assert_eq!(peek(1).reason(), Reason::Allowed);
    let denied = peek(2);
    assert_eq!(denied.reason(), Reason::LimitExceeded);
    assert_eq!(remaining(&denied, "api"), [1]);
    assert_eq!(denied.retry_after(), Some(Micros::MINUTE));
    assert_eq!(peek(4).reason(), Reason::NeverFits);
}

#[test]
fn a_peek_says_why_the_store_need_not_be_asked() {
    let (limiter, _) = limiter([
        Policy::builder("shut").path("/shut").block(),
        Policy::builder("by-user")
            .path("/mine")
            .key("user")
            .missing_key(MissingKey::Deny)
            .limit(limit("1/s")),
    ]);
    let reason = |path| {
        let request = get(path);
        ready(limiter.peek(&Question::new(&request))).reason()
    };
    assert_eq!(reason("/shut"), Reason::Blocked);
    assert_eq!(reason("/mine"), Reason::MissingKey);
    assert_eq!(reason("/"), Reason::NoPolicy);
}
