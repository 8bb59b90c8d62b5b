//! What is out of place, and what is not.

use proptest::prelude::*;

use super::*;

const HOUR: u64 = 3_600_000_000;
const DAY: u64 = 24 * HOUR;
/// The begin of 2026.
const NEW_YEAR: u64 = 1_767_225_600_000_000;
const YEAR_2099: u64 = 4_070_908_800_000_000;
const NONE: [u64; 0] = [];

/// The times that are in place and those that are not, each in the order in which they are told.
fn told(times: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let mut neighbours = Neighbours::new();
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    let mut tell = |(time, is_in_place): (u64, bool)| {
        let told = if is_in_place { &mut right } else { &mut wrong };
        told.push(time);
    };
    for time in times {
        if neighbours.pass(*time) {
            tell((*time, true));
            continue;
        }
        neighbours.hold(*time, *time);
        assert!(neighbours.held.len() <= AROUND + 1);
        while let Some(told) = neighbours.judge(false) {
            tell(told);
        }
    }
    while let Some(told) = neighbours.judge(true) {
        tell(told);
    }
    (right, wrong)
}

/// Requests of an hour, a second apart.
fn hour(begin: u64) -> Vec<u64> {
    (0..3_600)
        .map(|second| begin + second * 1_000_000)
        .collect()
}

/// What is out of place of an hour's requests with others in some places.
fn wrong_among(others: &[(usize, u64)]) -> Vec<u64> {
    let mut times = hour(NEW_YEAR);
    for (place, time) in others {
        times.insert(*place, *time);
    }
    let (right, wrong) = told(&times);
    let expected: Vec<u64> = times
        .into_iter()
        .filter(|time| !wrong.contains(time))
        .collect();
    assert_eq!(right, expected, "the order is kept");
    wrong
}

#[test]
fn one_nonsense_time_is_out_of_place_wherever_it_stands() {
    for time in [
        0,
        YEAR_2099,
        u64::MAX,
        NEW_YEAR - 400 * DAY,
        NEW_YEAR + 400 * DAY,
    ] {
        for place in [0, 1, 2, 3, 15, 16, 17, 1_800, 3_583, 3_584, 3_599, 3_600] {
            assert_eq!(wrong_among(&[(place, time)]), [time], "{time} at {place}");
        }
    }
    for time in [NEW_YEAR - 8 * DAY, NEW_YEAR + 8 * DAY] {
        for place in [4, 17, 1_800, 3_584, 3_596] {
            assert_eq!(wrong_among(&[(place, time)]), [time], "{time} at {place}");
        }
    }
}

#[test]
fn a_few_together_are_out_of_place_as_well() {
    for place in [0, 5, 1_800, 3_600] {
        let four = [
            (place, YEAR_2099),
            (place, 0),
            (place, YEAR_2099 + 1),
            (place, 1),
        ];
        assert_eq!(wrong_among(&four).len(), 4, "{place}");
        let three: Vec<(usize, u64)> = (0..3).map(|more| (place, YEAR_2099 + more)).collect();
        assert_eq!(wrong_among(&three).len(), 3, "{place}");
    }
}

#[test]
fn a_log_of_five_lines_shows_what_is_out_of_place() {
    let day: Vec<u64> = (0..4).map(|hour| NEW_YEAR + hour * HOUR).collect();
    for place in 0..5 {
        let mut times = day.clone();
        times.insert(place, YEAR_2099);
        assert_eq!(told(&times).1, [YEAR_2099], "{place}");
    }
    // Of fewer nobody knows which is right.
    assert_eq!(told(&[NEW_YEAR, NEW_YEAR, YEAR_2099]).1, NONE);
}

#[test]
fn silence_puts_no_line_out_of_place() {
    // A night, a weekend, weeks that are missing, a year.
    let mut times = Vec::new();
    for day in [0, 1, 4, 5, 30, 31, 400] {
        times.extend(hour(NEW_YEAR + day * DAY));
    }
    assert_eq!(told(&times).1, NONE);
    // A single request in the middle of the silence, at its end, and at the end of the log.
    let mut times = hour(NEW_YEAR);
    times.push(NEW_YEAR + 20 * DAY);
    times.extend(hour(NEW_YEAR + 60 * DAY));
    times.push(NEW_YEAR + 200 * DAY);
    times.push(NEW_YEAR + 400 * DAY);
    assert_eq!(told(&times).1, NONE);
    // A request every two months, for years.
    let rare: Vec<u64> = (0..40).map(|count| NEW_YEAR + count * 60 * DAY).collect();
    for length in 0..40 {
        assert_eq!(told(&rare[..length]).1, NONE, "{length}");
    }
}

#[test]
fn logs_that_were_joined_in_another_order_lose_nothing() {
    let days = [0_u64, 1, 10, 11, 12, 2, 3, 300, 4, 9];
    for lines in [5, 16, 17, 1_000] {
        let times: Vec<u64> = days
            .iter()
            .flat_map(|day| hour(NEW_YEAR + day * DAY).into_iter().take(lines))
            .collect();
        assert_eq!(told(&times).1, NONE, "{lines}");
    }
}

proptest! {
    #[test]
    fn a_log_of_a_week_loses_nothing_whatever_its_order(
        times in prop::collection::vec(NEW_YEAR..=NEW_YEAR + 7 * DAY, 0..100),
    ) {
        let (right, wrong) = told(&times);
        prop_assert_eq!(wrong, NONE);
        prop_assert_eq!(right, times);
    }

    #[test]
    fn a_log_in_order_loses_nothing_but_beside_a_silence_of_a_year(
        gaps in prop::collection::vec(prop_oneof![0..HOUR, 0..60 * DAY, 0..366 * DAY], 0..80),
    ) {
        let mut now = NEW_YEAR;
        let times: Vec<u64> = gaps
            .iter()
            .map(|gap| {
                now += gap;
                now
            })
            .collect();
        let (right, wrong) = told(&times);
        let middle = times.get(3..times.len().saturating_sub(3)).unwrap_or_default();
        for time in &wrong {
            prop_assert!(!middle.contains(time), "{time}");
        }
        prop_assert!(right.len() + wrong.len() == times.len());
    }

    #[test]
    fn every_line_is_told_once_and_in_order(
        times in prop::collection::vec(prop_oneof![any::<u64>(), NEW_YEAR..NEW_YEAR + DAY], 0..100),
    ) {
        let (right, wrong) = told(&times);
        let mut all = [right, wrong].concat();
        let mut times = times;
        all.sort_unstable();
        times.sort_unstable();
        prop_assert_eq!(all, times);
    }
}
