//! Giving back.

use tollgate::{ManualClock, Outcomes, Store};
use tollgate_core::{Micros, Outcome, Timestamp, Verdict};

use super::{EACH_ALGORITHM, START, after, ask, charge, decide, limit, look, peek, refund, reset};

/// What was spent is there again after a refund, and no more than that.
pub async fn gives_back_a_refunded_charge<S: Store>(store: &S, clock: &ManualClock) {
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        clock.set(after(START, Micros::new(1_234_567)));
        let charges = [charge(&limit, "refund", 3)];
        let admitted = decide(store, &charges).await;
        refund(store, &charges, &admitted).await;
        let back = look(store, &limit, "refund").await;
        assert_eq!(
            (back.remaining, back.reset_after),
            (5, Micros::ZERO),
            "{text}"
        );

        // With another's request in between.
        let admitted = decide(store, &charges).await;
        ask(store, &limit, "refund", 2).await;
        let denied = ask(store, &limit, "refund", 1).await;
        assert_eq!(denied.verdict, Verdict::Deny, "{text}");
        refund(store, &charges, &admitted).await;
        let back = look(store, &limit, "refund").await;
        assert_eq!(back.remaining, 3, "{text}");
    }
}

/// A denied request, a peek or a request of other charges has nothing to give back.
pub async fn gives_back_nothing_that_was_not_spent<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        let key = "not spent";
        ask(store, &limit, key, 4).await;
        let fits = charge(&limit, key, 1);
        let too_much = charge(&limit, "not spent either", 6);
        let denied = decide(store, &[fits, too_much]).await;
        assert!(!denied.is_allowed(), "{text}");
        refund(store, &[fits, too_much], &denied).await;
        let seen = look(store, &limit, key).await;
        assert_eq!(
            seen.remaining, 1,
            "{text}: a request that another charge denied"
        );

        let two = charge(&limit, key, 2);
        let denied = decide(store, &[two]).await;
        refund(store, &[two], &denied).await;
        assert_eq!(
            look(store, &limit, key).await.remaining,
            1,
            "{text}: a denied charge"
        );

        let nothing = charge(&limit, key, 0);
        let looked = peek(store, &[nothing]).await;
        refund(store, &[nothing], &looked).await;
        assert_eq!(
            look(store, &limit, key).await.remaining,
            1,
            "{text}: a peek"
        );

        let stranger = charge(&limit, "never seen", 1);
        let admitted = decide(store, &[fits]).await;
        refund(store, &[stranger], &admitted).await;
        assert_eq!(
            look(store, &limit, "never seen").await.remaining,
            5,
            "{text}: an unknown key"
        );
    }
}

/// A refund that comes too late does not take from what was used since.
pub async fn gives_back_nothing_once_its_window_has_gone<S: Store>(store: &S, clock: &ManualClock) {
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        clock.set(after(START, Micros::new(1_234_567)));
        let charges = [charge(&limit, "late", 3)];
        let admitted = decide(store, &charges).await;
        let gone = admitted.deciding().map_or(START, Outcome::reset_at);
        clock.set(gone);
        ask(store, &limit, "late", 4).await;
        refund(store, &charges, &admitted).await;
        assert_eq!(look(store, &limit, "late").await.remaining, 1, "{text}");
    }
}

/// Units of whoever spent them last are there again, and never more than were counted.
pub async fn gives_back_whatever_was_counted_last<S: Store>(store: &S, clock: &ManualClock) {
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        clock.set(after(START, Micros::new(1_234_567)));
        let key = "whoever";
        let give_back = async |cost| {
            let charges = [charge(&limit, key, cost)];
            let any = Outcomes::new(Timestamp::EPOCH, [(Outcome::ANY_ADMISSION, true)]);
            refund(store, &charges, &any).await;
        };
        give_back(2).await;
        assert_eq!(
            look(store, &limit, key).await.remaining,
            5,
            "{text}: nothing was counted"
        );

        for cost in [1, 2, 1] {
            ask(store, &limit, key, cost).await;
            clock.advance(Micros::new(1_000));
        }
        give_back(2).await;
        let back = look(store, &limit, key).await;
        assert_eq!(back.remaining, 3, "{text}: of two admissions");
        // One whole entry and a part of another have left the log: what is left of it stays.
        ask(store, &limit, key, 3).await;
        let denied = ask(store, &limit, key, 1).await;
        assert_eq!(denied.verdict, Verdict::Deny, "{text}");

        give_back(1_000_000_000_000).await;
        let back = look(store, &limit, key).await;
        assert_eq!(
            (back.remaining, back.reset_after),
            (5, Micros::ZERO),
            "{text}: more than was counted"
        );
        ask(store, &limit, key, 5).await;
        assert_eq!(look(store, &limit, key).await.remaining, 0, "{text}");
        reset(store, &limit, "conformance", key).await;
    }
}

/// A sliding window gives back of the present window first, and then of the one before; a log that
/// holds what has left already gives back nothing of that.
pub async fn gives_back_of_the_present_first<S: Store>(store: &S, clock: &ManualClock) {
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        clock.set(START);
        let key = "present first";
        ask(store, &limit, key, 3).await;
        let earlier = match text {
            "5/min sliding-window" => {
                // At the edge, where the window before weighs all of it.
                clock.set(after(START, Micros::MINUTE));
                3
            }
            "5/min sliding-log" => {
                clock.set(after(START, Micros::MINUTE));
                0
            }
            _ => continue,
        };
        ask(store, &limit, key, 2).await;
        let charges = [charge(&limit, key, 4)];
        let any = Outcomes::new(Timestamp::EPOCH, [(Outcome::ANY_ADMISSION, true)]);
        refund(store, &charges, &any).await;
        let back = look(store, &limit, key).await;
        let counted = 5 - back.remaining;
        assert_eq!(counted, if earlier > 0 { 1 } else { 0 }, "{text}");
        ask(store, &limit, key, back.remaining).await;
        assert_eq!(look(store, &limit, key).await.remaining, 0, "{text}");
    }
}
