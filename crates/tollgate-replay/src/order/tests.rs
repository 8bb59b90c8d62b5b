use super::*;
use crate::log::{Record, TimeBasis};
use tollgate::{Micros, Timestamp};
use tollgate_policy::{AttributeName, Attributes, NoAddress};

fn wanted() -> Wanted {
    Wanted::new([AttributeName::Path])
}

/// Requests at instants, with paths that name source, line and instant.
fn batch(source: u32, lines: &[(u64, u64)]) -> Batch {
    let mut batch = Batch::default();
    for (line, at) in lines {
        let mut record = Record::at(
            Timestamp::from_micros(*at),
            TimeBasis::Start,
            Micros::SECOND,
        );
        record.path = Some(format!("{source} {line} {at}").into());
        let client = Err(NoAddress::PeerUnknown);
        batch.push((source, *line), &record, client, &wanted(), &mut [false]);
    }
    batch
}

fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    *seed >> 33
}

/// What is given out, by source, line and instant, with the instant of the decision.
fn put(order: &mut Order, batches: Vec<(Batch, u64)>) -> Vec<(String, u64)> {
    let mut given = Vec::new();
    let mut take = |at: u64, view: View<'_>| {
        let path = view.attribute(&AttributeName::Path).unwrap().into_owned();
        let entry = view.entry;
        assert_eq!(
            path,
            format!("{} {} {}", entry.source, entry.line, entry.at)
        );
        given.push((path, at));
    };
    for (batch, floor) in batches {
        order.push(batch, floor, &mut take);
    }
    order.finish(&mut take);
    given
}

#[test]
fn what_the_buffer_holds_is_put_in_order_with_ties_as_the_lines_stand() {
    let mut seed = 3;
    for batches in [3_u64, 40, 300] {
        let mut lines: Vec<(u64, u64)> = (0..batches * 10).map(|line| (line, line / 3)).collect();
        for place in (1..lines.len()).rev() {
            let other = usize::try_from(random(&mut seed)).unwrap() % (place + 1);
            let (one, another) = (lines[place].1, lines[other].1);
            (lines[place].1, lines[other].1) = (another, one);
        }
        let mut sorted = lines.clone();
        sorted.sort_by_key(|(line, at)| (*at, *line));
        let expected: Vec<(String, u64)> = sorted
            .iter()
            .map(|(line, at)| (format!("7 {line} {at}"), *at))
            .collect();
        let mut order = Order::new(wanted(), lines.len(), 1);
        let batches = lines.chunks(10);
        let batches = batches.map(|lines| (batch(7, lines), u64::MAX)).collect();
        assert_eq!(put(&mut order, batches), expected);
        assert_eq!(order.late(), 0);
    }
}

#[test]
fn a_request_that_comes_too_late_is_decided_at_the_last_instant_and_counted() {
    let mut order = Order::new(wanted(), 2, 1);
    let lines = [(1, 100), (2, 200), (3, 300), (4, 150), (5, 50), (6, 400)];
    let batches = lines.iter().map(|line| (batch(0, &[*line]), u64::MAX));
    let given = put(&mut order, batches.collect());
    let given: Vec<(&str, u64)> = given
        .iter()
        .map(|(path, at)| (path.as_str(), *at))
        .collect();
    assert_eq!(
        given,
        [
            ("0 1 100", 100),
            ("0 4 150", 150),
            ("0 5 50", 150),
            ("0 2 200", 200),
            ("0 3 300", 300),
            ("0 6 400", 400)
        ]
    );
    assert_eq!((order.late(), order.latest_by()), (1, 100));
}

#[test]
fn nothing_is_given_out_that_a_log_which_is_behind_may_come_before() {
    let mut order = Order::new(wanted(), 1, 2);
    let batches = vec![
        (batch(0, &[(1, 100), (2, 200), (3, 300)]), 0),
        (batch(1, &[(1, 50), (2, 150)]), 150),
        (batch(1, &[(3, 350)]), u64::MAX),
    ];
    let given: Vec<u64> = put(&mut order, batches).iter().map(|(_, at)| *at).collect();
    assert_eq!(given, [50, 100, 150, 200, 300, 350]);
    assert_eq!(order.late(), 0);
}

#[test]
fn requests_far_ahead_keep_no_batches() {
    let mut order = Order::new(wanted(), 10_000, 1);
    for number in 0..2_000 {
        let mut lines: Vec<(u64, u64)> = (0..50).map(|line| (line, number)).collect();
        lines.push((50, 1_000_000));
        order.push(batch(0, &lines), u64::MAX, |_, _| {});
    }
    assert!(order.runs.len() <= MAX_RUNS);
    let kept: usize = order
        .runs
        .iter()
        .map(|Reverse(run)| run.batch.entries.len())
        .sum();
    assert!(kept <= 3 * 10_000, "{kept}");
    assert_eq!((order.kept, order.held), (kept, 10_000));
}

#[test]
fn many_small_batches_are_put_together() {
    let mut order = Order::new(wanted(), 100_000, 1);
    let mut given = 0;
    for number in 0..10_000 {
        order.push(batch(0, &[(number, number)]), u64::MAX, |_, _| {});
    }
    assert!(order.runs.len() <= MAX_RUNS);
    order.finish(|at, view| {
        assert_eq!((view.entry.line, at), (given, given));
        given += 1;
    });
    assert_eq!((given, order.kept, order.late()), (10_000, 0, 0));
}

#[test]
fn what_waits_for_a_log_that_is_behind_is_bounded() {
    let mut order = Order::new(wanted(), 10, 1);
    for number in 0..1_000 {
        let lines: Vec<(u64, u64)> = (0..100).map(|line| (line, 1_000 + number)).collect();
        order.push(batch(0, &lines), 0, |_, _| {});
    }
    assert_eq!(order.held, 20 + OF_A_LOG);
}
