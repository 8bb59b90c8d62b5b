use super::*;

fn common(text: &str) -> Result<Moment, Reject> {
    Dates::default().common(text.as_bytes())
}

fn iso(text: &str) -> Result<Moment, Reject> {
    Dates::default().iso(text.as_bytes())
}

fn seconds(seconds: u64) -> Result<Moment, Reject> {
    Ok(Moment {
        at: Timestamp::from_secs(seconds),
        resolution: Micros::SECOND,
    })
}

/// 2026-11-05T06:25:02Z
const NOVEMBER: u64 = 1_793_859_902;

#[test]
fn offsets_are_exact() {
    // T23
    assert_eq!(common("05/Nov/2026:06:25:02 +0000"), seconds(NOVEMBER));
    for (offset, ahead) in [("+0530", 19_800), ("+1245", 45_900), ("+0100", 3_600)] {
        let text = format!("05/Nov/2026:06:25:02 {offset}");
        assert_eq!(common(&text), seconds(NOVEMBER - ahead), "{text}");
    }
    assert_eq!(
        common("05/Nov/2026:06:25:02 -0330"),
        seconds(NOVEMBER + 12_600)
    );
}

#[test]
fn an_offset_that_changes_between_lines_is_heeded() {
    // T23: a file across the end of summer time, read by one reader.
    let mut dates = Dates::default();
    let summer = dates.common(b"25/Oct/2026:02:30:00 +0200").unwrap();
    let winter = dates.common(b"25/Oct/2026:02:30:00 +0100").unwrap();
    assert_eq!(winter.at.saturating_since(summer.at), Micros::HOUR);
    assert_eq!(dates.common(b"25/Oct/2026:02:30:00 +0200"), Ok(summer));
}

#[test]
fn a_time_without_offset_needs_a_zone() {
    // T23
    assert_eq!(common("05/Nov/2026:06:25:02"), Err(Reject::NoOffset));
    assert_eq!(iso("2026-11-05 06:25:02"), Err(Reject::NoOffset));
    let zone = "Europe/Berlin".parse().unwrap();
    let mut dates = Dates::with_zone(Some(zone));
    let berlin = seconds(NOVEMBER - 3_600);
    assert_eq!(dates.common(b"05/Nov/2026:06:25:02"), berlin);
    assert_eq!(dates.iso(b"2026-11-05T06:25:02"), berlin);
    // An offset in the line says more than the option.
    assert_eq!(dates.iso(b"2026-11-05T06:25:02Z"), seconds(NOVEMBER));
    assert_eq!(
        dates.common(b"05/Nov/2026:06:25:02 +0000"),
        seconds(NOVEMBER)
    );
}

#[test]
fn fractions_tell_their_unit() {
    let expected = Moment {
        at: Timestamp::from_micros(NOVEMBER * 1_000_000 + 310_000),
        resolution: Micros::MILLISECOND,
    };
    assert_eq!(common("05/Nov/2026:06:25:02.310 +0000"), Ok(expected));
    assert_eq!(iso("2026-11-05T06:25:02.310Z"), Ok(expected));
    assert_eq!(iso("2026-11-05T07:25:02,310+01:00"), Ok(expected));
}

#[test]
fn a_leap_second_is_the_first_of_the_next_minute() {
    let expected = common("01/Jan/2017:00:00:00 +0000");
    assert_eq!(common("31/Dec/2016:23:59:60 +0000"), expected);
}

#[test]
fn months_and_leap_days_are_those_of_the_calendar() {
    assert_eq!(common("29/Feb/2028:00:00:00 +0000"), seconds(1_835_395_200));
    assert_eq!(common("29/Feb/2026:00:00:00 +0000"), Err(Reject::Time));
    assert_eq!(common("31/Apr/2026:00:00:00 +0000"), Err(Reject::Time));
}

#[test]
fn what_is_no_time_is_rejected() {
    for wrong in [
        "",
        "05/Nov/2026",
        "05/Nov/2026:06:25",
        "05/Nov/2026:06:25:61 +0000",
        "05/Nov/2026:24:00:00 +0000",
        "05/Nov/2026:06:60:00 +0000",
        "05/Nox/2026:06:25:02 +0000",
        "00/Nov/2026:06:25:02 +0000",
        "05/Nov/2026:06:25:02 CEST",
        "05/Nov/2026:06:25:02 +9900",
        "05/Nov/2026:06:25:02 +0000x",
        "05/Nov/2026:06:25:02. +0000",
        "31/Dec/1969:23:59:59 +0000",
    ] {
        assert_eq!(common(wrong), Err(Reject::Time), "{wrong}");
    }
    for wrong in [
        "",
        "2026-11-05T06:25Z",
        "2026-13-05T06:25:02Z",
        "1793859902",
    ] {
        assert_eq!(iso(wrong), Err(Reject::Time), "{wrong}");
    }
}

proptest::proptest! {
    #[test]
    fn a_remembered_minute_changes_nothing(
        texts in proptest::collection::vec(
            "0[1-3]/(Jan|Feb)/202[67]:0[0-2]:0[0-2]:[0-6][0-9]( [+-]0[0-3][03]0)?",
            1..40,
        ),
    ) {
        let zone: Option<TimeZone> = "America/St_Johns".parse().ok();
        let mut kept = Dates::with_zone(zone.clone());
        for text in texts {
            let fresh = Dates::with_zone(zone.clone()).common(text.as_bytes());
            proptest::prop_assert_eq!(kept.common(text.as_bytes()), fresh);
        }
    }

    #[test]
    fn any_bytes_are_a_time_or_rejected(bytes: Vec<u8>) {
        let mut dates = Dates::with_zone("Europe/Berlin".parse().ok());
        let _ = dates.common(&bytes);
        let _ = dates.iso(&bytes);
        let _ = offset_seconds(&bytes);
    }
}
