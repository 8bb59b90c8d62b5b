use proptest::prelude::*;

use super::*;

fn share(text: &str) -> LocalShare {
    text.parse().unwrap()
}

fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

#[test]
fn fractions_decimals_and_percentages_are_the_same() {
    for (text, printed) in [
        ("1/4", "1/4"),
        ("25/100", "1/4"),
        ("0.25", "1/4"),
        ("25%", "1/4"),
        ("1/3", "1/3"),
        ("12.5%", "1/8"),
        ("0.333333", "333333/1000000"),
        ("1", "1/1"),
        ("100%", "1/1"),
        ("1.0", "1/1"),
        ("0.000001%", "1/100000000"),
        ("999999999/999999999", "1/1"),
    ] {
        assert_eq!(share(text).to_string(), printed, "{text}");
        assert_eq!(share(printed), share(text));
    }
}

// B103
#[test]
fn what_is_no_share_is_refused_with_a_remedy() {
    let error = |text: &str| text.parse::<LocalShare>().unwrap_err().to_string();
    for text in [
        "",
        "a",
        "1/",
        "/4",
        "1/4/2",
        "-1/4",
        "+1/4",
        " 1/4",
        "1 / 4",
        "0.",
        ".5",
        "1e-3",
        "25 %",
        "%",
        "0.3333333",
        "1/0x4",
        "1234567890/1234567891",
        "1/4%",
    ] {
        assert!(
            error(text).contains("is no share"),
            "{text}: {}",
            error(text)
        );
    }
    for text in [
        "0",
        "0/4",
        "0%",
        "0.0",
        "1/0",
        "0/0",
        "5/4",
        "1.5",
        "101%",
        "999999999",
    ] {
        assert!(
            error(text).contains("above 0 and up to 1"),
            "{text}: {}",
            error(text)
        );
    }
    assert!(error(&"9".repeat(10_000)).len() < 200);
    assert!(LocalShare::of_instances(0).is_err());
    assert!(LocalShare::new(3, 2).is_err());
    assert_eq!(LocalShare::new(2, 8).unwrap(), share("1/4"));
}

#[test]
fn units_and_burst_are_scaled_and_rounded_down_and_the_period_stays() {
    for (of, text, scaled) in [
        ("100/min", "1/4", "25/min"),
        ("100/min", "1/3", "33/min"),
        ("20/s burst 60", "1/4", "5/s burst 15"),
        ("10/min fixed-window", "1/4", "2/min fixed-window"),
        ("10/min sliding-log", "100%", "10/min sliding-log"),
        ("5/min", "1/8", "1/min"),
        ("1/d burst 20", "1/4", "1/d burst 5"),
        (
            "1000000000000/d sliding-window",
            "0.1%",
            "1000000000/d sliding-window",
        ),
        (
            "9/h fixed-window anchor first-request",
            "1/3",
            "3/h fixed-window anchor first-request",
        ),
    ] {
        assert_eq!(share(text).of_limit(&limit(of), 1), Ok(limit(scaled)));
    }
    // A burst that would take too long to refill is cut.
    let slow = share("1/2").of_limit(&limit("3/366d burst 300"), 1);
    assert_eq!(slow, Ok(limit("1/366d burst 100")));
    // What one request takes is kept.
    let costly = share("1/4").of_limit(&limit("10/h fixed-window"), 6);
    assert_eq!(costly, Ok(limit("6/h fixed-window")));
}

proptest! {
    #[test]
    fn every_share_of_every_limit_is_a_limit_that_counts_the_same(
        limit in tollgate_testkit::strategy::limit(),
        numerator in 1_u32..=1_000_000,
        more in 0_u32..=1_000_000,
    ) {
        let share = LocalShare::new(numerator, numerator + more).unwrap();
        let local = share.of_limit(&limit, 1).unwrap();
        prop_assert_eq!(local.id(), limit.id());
        prop_assert!(local.quota() <= limit.quota() && local.units() <= limit.units());
        if !is_too_small(share, &limit, 1) {
            let of = |units: u64| u128::from(units) * u128::from(share.numerator())
                / u128::from(share.denominator());
            prop_assert!(u128::from(local.quota()) <= of(limit.quota()));
            prop_assert_eq!(u128::from(local.units()), of(limit.units()));
        }
    }

    #[test]
    fn every_share_reads_back(numerator in 1_u32..1_000_000_000, more in 0_u32..1_000) {
        let denominator = numerator.saturating_add(more).min(999_999_999);
        if let Ok(share) = LocalShare::new(numerator, denominator) {
            prop_assert_eq!(share.to_string().parse(), Ok(share));
        }
    }

    #[test]
    fn no_text_is_too_strange(text in "[0-9./% a+-]{0,24}") {
        let _ = text.parse::<LocalShare>();
    }
}
