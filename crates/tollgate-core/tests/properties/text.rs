//! The text form of limits.

use proptest::prelude::*;
use tollgate_core::Limit;
use tollgate_testkit::strategy::{config, limit};

/// Texts that are nearly limits: words of the language, and what people put between them.
fn nearly_a_limit() -> impl Strategy<Value = String> {
    let words = vec![
        "10",
        "0",
        "1_000",
        "/",
        "min",
        "s",
        "ms",
        "d",
        "h",
        "m",
        " ",
        "  ",
        "burst",
        "anchor",
        "epoch",
        "first-request",
        "fixed-window",
        "sliding-log",
        "token-bucket",
        "block",
        ",",
        ";",
        "\n",
        "\u{0}",
        "é",
        "ｍin",
        "99999999999999999999",
        "1.5",
        "=",
        "-",
        "_",
        "\u{301}",
    ];
    proptest::collection::vec(proptest::sample::select(words), 0..10)
        .prop_map(|words| words.concat())
}

fn answers(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<Limit>() {
        Ok(limit) => {
            prop_assert_eq!(limit.to_string().parse::<Limit>(), Ok(limit));
        }
        Err(error) => {
            let span = error.span();
            prop_assert!(span.start <= span.end && span.end <= text.len(), "{span:?}");
            prop_assert!(
                text.get(span.clone()).is_some(),
                "{span:?} splits a character"
            );
            prop_assert_eq!(error.text(), text);
            let message = error.to_string();
            prop_assert!(!message.contains(char::is_control), "{message:?}");
            prop_assert!(!message.ends_with('.'));
            let shown = format!("{error:#}");
            prop_assert!(shown.starts_with(&message));
            prop_assert!(matches!(shown.lines().count(), 1 | 3), "{shown}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn every_limit_reads_back_as_itself(limit in limit()) {
        let text = limit.to_string();
        prop_assert_eq!(text.parse::<Limit>(), Ok(limit));
    }

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        answers(&text)?;
    }

    #[test]
    fn any_text_that_is_nearly_a_limit_is_answered(text in nearly_a_limit()) {
        answers(&text)?;
    }

    /// One character of a good text is changed, left out or added.
    #[test]
    fn any_slip_is_answered(limit in limit(), at in any::<prop::sample::Index>(), slip in any::<char>(), kind in 0..3) {
        let mut text: Vec<char> = limit.to_string().chars().collect();
        let at = at.index(text.len());
        match kind {
            0 => text[at] = slip,
            1 => { text.remove(at); }
            _ => text.insert(at, slip),
        }
        answers(&text.into_iter().collect::<String>())?;
    }
}
