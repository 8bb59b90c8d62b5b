use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::{Algorithm, Anchor, Limit, LimitErrorKind, Micros, ParseLimitError};

fn error(text: &str) -> ParseLimitError {
    match text.parse::<Limit>() {
        Ok(limit) => panic!("`{text}` was read as `{limit}`"),
        Err(error) => error,
    }
}

/// The message without the place, which is the same for all.
fn message(text: &str) -> alloc::string::String {
    let error = error(text);
    let message = error.to_string();
    let column = text
        .get(..error.span().start)
        .map(|before| before.chars().count() + 1)
        .unwrap();
    let place = format!(", in `{}` at column {column}", text.escape_debug());
    match message.strip_suffix(&place) {
        Some(message) => message.to_string(),
        None => panic!("`{message}` does not end in `{place}`"),
    }
}

/// The characters that the error points at.
fn marked(text: &str) -> &str {
    text.get(error(text).span()).unwrap()
}

const OPTIONS: &str = "after the period may stand `burst N`, `anchor first-request` and one of token-bucket, fixed-window, sliding-window, sliding-log";
const UNITS_OF_TIME: &str = "is not a unit of time; use ms, s, min, h or d";
const NOT_WHOLE: &str =
    "is not a whole number; write digits only, with `_` between them if you like, such as `1_500`";

#[test]
fn says_what_is_wrong_with_the_units() {
    for text in ["", "  ", "\n"] {
        assert_eq!(
            error(text).to_string(),
            "a limit is empty; write units and a period, such as `10/min`"
        );
    }
    for (text, word) in [
        ("min", "min"),
        ("/min", "/min"),
        ("-5/min", "-5"),
        ("many/s", "many"),
    ] {
        assert_eq!(
            message(text),
            format!("`{word}` is not a number of units; a limit begins with one, such as `10/min`")
        );
    }
    for (text, word) in [
        ("1.5/s", "1.5"),
        ("1,000/min", "1,000"),
        ("1e3/s", "1e3"),
        ("10k/min", "10k"),
        ("10_/min", "10_"),
        ("1__0/min", "1__0"),
    ] {
        assert_eq!(message(text), format!("`{word}` {NOT_WHOLE}"));
        assert_eq!(marked(text), word);
    }
    assert_eq!(
        message("99999999999999999999/min"),
        "`99999999999999999999` is too large; no number in a limit may exceed 1000000000000"
    );
    assert_eq!(
        message("2000000000000/s"),
        "units is 2000000000000; it must be from 1 to 1000000000000"
    );
}

// B103, B121: 0 is neither "nobody" nor "everybody" by accident.
#[test]
fn refuses_zero_and_names_the_words_for_what_may_be_meant() {
    assert_eq!(
        message("0/min"),
        "units is 0; to refuse every request use `block`, to admit every one `unlimited`"
    );
    for text in ["block", "unlimited", "Unlimited"] {
        assert_eq!(
            message(text),
            format!(
                "`{text}` is not a limit; a policy says `block` or `unlimited` instead of limits"
            )
        );
    }
    assert_eq!(
        message("10/min burst 0"),
        "burst is 0; it must be from 1 to 1000000000000"
    );
}

#[test]
fn says_what_is_wrong_with_the_period() {
    for text in ["10", "10 min", "10 per minute", "10rps", "10:min"] {
        assert_eq!(
            message(text),
            "a `/` and a period must follow the units, such as `10/min`"
        );
    }
    assert_eq!(
        message("10/"),
        "a period must follow the `/`: ms, s, min, h or d, such as `10/min` or `3/10s`"
    );
    assert_eq!(
        message("5/60"),
        "`60` has no unit of time; write ms, s, min, h or d after it, such as `3/10s`"
    );
    for (text, word) in [
        ("10/fortnight", "fortnight"),
        ("10/500us", "us"),
        ("10/µs", "µs"),
        ("100/1h30m", "h30m"),
    ] {
        assert_eq!(message(text), format!("`{word}` {UNITS_OF_TIME}"));
        assert_eq!(marked(text), word);
    }
    assert_eq!(message("10/1.5s"), format!("`1.5s` {NOT_WHOLE}"));
    assert_eq!(
        message("10/0s"),
        "period is 0 s; it must be from 1 ms to 366 d"
    );
    assert_eq!(
        message("10/367d"),
        "period is 367 d; it must be from 1 ms to 366 d"
    );
    assert_eq!(marked("10/367d burst 5"), "367d");
}

#[test]
fn guesses_the_unit_of_time_that_was_meant() {
    for (text, word, meant) in [
        ("10/m", "m", "min"),
        ("10/Min", "Min", "min"),
        ("10/minute", "minute", "min"),
        ("10/mn", "mn", "min"),
        ("10/hour", "hour", "h"),
        ("10/S", "S", "s"),
        ("10/week", "week", "7d"),
        ("10/month", "month", "30d"),
        ("10//min", "/min", "min"),
    ] {
        assert_eq!(
            message(text),
            format!("`{word}` {UNITS_OF_TIME} (did you mean `{meant}`?)")
        );
    }
}

#[test]
fn says_what_is_wrong_after_the_period() {
    for (text, word) in [
        ("10/min # c", "#"),
        ("10/min/5", "/5"),
        ("10/min please", "please"),
    ] {
        assert_eq!(
            message(text),
            format!("`{word}` means nothing here; {OPTIONS}")
        );
    }
    for (text, word, meant) in [
        ("10/min 20", "20", "burst 20"),
        ("10/min burst=20", "burst=20", "burst 20"),
        ("10/s brust 5", "brust", "burst"),
        ("10/s bursts 5", "bursts", "burst"),
        ("10/min fixed", "fixed", "fixed-window"),
        ("10/min FixedWindow", "FixedWindow", "fixed-window"),
        ("10/min slidng_window", "slidng_window", "sliding-window"),
        ("10/min gcra", "gcra", "token-bucket"),
    ] {
        assert_eq!(
            message(text),
            format!("`{word}` means nothing here; {OPTIONS} (did you mean `{meant}`?)")
        );
    }
    for (text, mark) in [("10/min, 100/h", ","), ("10/min; 5/s", ";")] {
        assert_eq!(
            message(text),
            format!(
                "`{mark}` cannot stand in a limit; write each of several limits as a text of its own"
            )
        );
    }
    assert_eq!(message("10/min burst"), "a number must follow `burst`");
    assert_eq!(message("10/min burst x"), "a number must follow `burst`");
    assert_eq!(message("10/min burst 1.5"), format!("`1.5` {NOT_WHOLE}"));
    assert_eq!(
        message("10/min fixed-window anchor"),
        "`epoch` or `first-request` must follow `anchor`"
    );
    assert_eq!(
        message("10/min fixed-window anchor first_request"),
        "`first_request` is not an anchor; use `epoch` or `first-request` (did you mean `first-request`?)"
    );
}

#[test]
fn says_which_part_is_given_twice() {
    for (text, part, what) in [
        ("10/min burst 5 burst 6", "burst 6", "burst"),
        (
            "10/min fixed-window fixed-window",
            "fixed-window",
            "algorithm",
        ),
        (
            "10/min token-bucket sliding-log",
            "sliding-log",
            "algorithm",
        ),
        (
            "10/min fixed-window anchor epoch anchor first-request",
            "anchor first-request",
            "anchor",
        ),
    ] {
        assert_eq!(
            message(text),
            format!("`{part}`: the {what} is given twice")
        );
        assert_eq!(marked(text), part);
    }
}

#[test]
fn says_which_parts_do_not_go_together() {
    assert_eq!(
        message("10/min sliding-log burst 5"),
        "burst is given for sliding-log, but only a token-bucket has one; leave it out or use token-bucket"
    );
    assert_eq!(
        message("10/min anchor epoch"),
        "anchor is given for token-bucket, but only a fixed-window has one; leave it out or use fixed-window"
    );
    assert_eq!(
        message("1/min burst 1000000000000"),
        "burst is 1000000000000; at this rate it would take more than 100 years to refill; lower the burst or raise the units"
    );
    assert_eq!(
        message("1000000000000/366d"),
        "period is 366 d; it cannot be counted exactly together with 1000000000000 units, because their product passes 2^53 in every tick that divides the period; shorten the period or lower the units"
    );
}

#[test]
fn shows_the_place_below_the_text_if_asked() {
    assert_eq!(
        format!("{:#}", error("10/min  brust 5")),
        format!(
            "`brust` means nothing here; {OPTIONS} (did you mean `burst`?), in `10/min  brust 5` at column 9\n  10/min  brust 5\n          ^^^^^"
        )
    );
    assert_eq!(
        format!("{:#}", error("10/"))
            .lines()
            .skip(1)
            .collect::<Vec<_>>(),
        ["  10/", "     ^"]
    );
}

#[test]
fn control_characters_do_not_reach_the_message() {
    for text in ["10/mi\u{1b}[31mn", "10/min\0", "10/min\r\nx y", "\u{7}"] {
        assert!(
            !format!("{:#}", error(text)).contains(char::is_control),
            "{text:?}"
        );
    }
}

#[test]
fn reads_every_form() {
    let limit = |text: &str| text.parse::<Limit>().unwrap();
    assert_eq!(limit(" 10 / min "), limit("10/min"));
    assert_eq!(limit("1_000_000/3 s"), limit("1000000/3s"));
    assert_eq!(
        limit("20/s burst 60 token-bucket"),
        limit("20/s token-bucket burst 60")
    );
    assert_eq!(limit("3/60s"), limit("3/min"));
    assert_eq!(limit("3/1000ms").period(), Micros::SECOND);
    let first = limit("5/h anchor first-request fixed-window");
    assert_eq!(
        first.algorithm(),
        Algorithm::FixedWindow(Anchor::FirstRequest)
    );
    assert_eq!(first.to_string(), "5/h fixed-window anchor first-request");
    assert_eq!(
        limit("5/h fixed-window anchor epoch").to_string(),
        "5/h fixed-window"
    );
}

// B115: a rate without a unit of time, or one that means "one every so many", cannot be written.
#[test]
fn a_limit_names_its_unit_of_time_and_shows_its_effective_rate() {
    let limit: Limit = "20/s burst 60".parse().unwrap();
    assert_eq!(
        limit.effective_rate().to_string(),
        "one every 50 ms, up to 60 at once, full after 3 s"
    );
    let slow: Limit = "1/4000s".parse().unwrap();
    assert_eq!(
        slow.effective_rate().to_string(),
        "one every 66.666 min, up to 1 at once, full after 66.666 min"
    );
    assert!("20".parse::<Limit>().is_err());
}

#[test]
fn builder_refuses_what_no_text_can_say() {
    use core::time::Duration;
    let kind = |nanos| {
        Limit::builder(1, Duration::from_nanos(nanos))
            .build()
            .unwrap_err()
            .kind()
    };
    assert_eq!(kind(999_999), LimitErrorKind::Period);
    assert_eq!(kind(1_500_000), LimitErrorKind::PeriodNotWholeMillis);
    assert_eq!(kind(1_000_000_001), LimitErrorKind::PeriodNotWholeMillis);
    let message = |nanos| {
        let limit = Limit::builder(1, Duration::from_nanos(nanos));
        limit.build().unwrap_err().to_string()
    };
    assert_eq!(
        message(1_000_000_001),
        "period is 1.000000001s; it must be a whole number of milliseconds"
    );
    assert_eq!(
        message(999_999),
        "period is 999.999µs; it must be from 1 ms to 366 d"
    );
}

#[test]
fn what_is_wrong_can_be_said_without_the_place() {
    let error = error("10/mim");
    assert_eq!(
        error.problem().to_string(),
        "`mim` is not a unit of time; use ms, s, min, h or d (did you mean `min`?)"
    );
    assert_eq!(
        error.to_string(),
        format!("{}, in `10/mim` at column 4", error.problem())
    );
}
