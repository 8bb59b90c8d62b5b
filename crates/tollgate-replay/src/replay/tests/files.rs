//! Order, several logs, interruption.

use std::io::Write;
use std::os::fd::AsRawFd;
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tollgate_testkit::redis::until;

use super::*;
use crate::{LogRequests, Requests};

fn shuffled<T>(items: &mut [T], seed: u64) {
    let mut random = Random(seed);
    for place in (1..items.len()).rev() {
        let other = random.next(u64::try_from(place).unwrap() + 1);
        items.swap(place, usize::try_from(other).unwrap());
    }
}

/// Without what is told of single files.
fn without_files(mut report: Report) -> String {
    report.input.files.clear();
    json(&report)
}

#[test]
fn shuffled_lines_give_the_report_of_sorted_ones() {
    let sorted = made(5_000, 30, 5);
    let mut lines = sorted.clone();
    shuffled(&mut lines, 6);
    let expected = json(&run(policies(POLICIES), vec![log(&sorted)]));
    assert_eq!(json(&run(policies(POLICIES), vec![log(&lines)])), expected);
}

#[test]
fn requests_too_late_for_the_buffer_are_counted_and_decided_at_the_last_instant() {
    let lines = [10, 20, 30, 5, 40].map(|second| combined(second, "198.51.100.7", "/", 200));
    let replay = Replay::new(one("\"9/min\""))
        .inputs(vec![text(lines)])
        .buffer(1);
    let report = replay.run(&Progress::new()).unwrap();
    assert_eq!(report.totals.requests, 5);
    // The batch is one, so that all of it is put in order.
    assert_eq!(report.input.late, 0);
    let mut requests = [10, 20, 30, 5, 40]
        .map(|second| made_at(second).request())
        .to_vec();
    let report = Replay::new(one("\"9/min\""))
        .run_over(&mut requests, &Progress::new())
        .unwrap();
    assert_eq!((report.input.late, report.input.latest_by), (1, 25.0));
    assert_eq!(report.timeline.offered.iter().sum::<u64>(), 5);
    assert_eq!(report.from.unwrap(), "2026-11-05T06:38:32Z");
}

fn made_at(second: u64) -> Made {
    Made {
        micros: BEGIN + second * 1_000_000,
        millis_taken: 0,
        client: "198.51.100.7".into(),
        user: None,
        method: "GET",
        target: "/".into(),
        status: 200,
    }
}

#[test]
fn logs_are_merged_by_time_whatever_their_order() {
    let all = made(24_000, 300, 7);
    let replay = |inputs| {
        let replay = Replay::new(policies(POLICIES)).inputs(inputs);
        // Far fewer than are read from a log at once.
        let replay = replay.buffer(100).what_if(false);
        replay.run(&Progress::new()).unwrap()
    };
    let expected = without_files(replay(vec![log(&all)]));
    // Two servers side by side, each with two files of which the older one is named last.
    let server = |parity: usize| {
        let lines = all
            .iter()
            .enumerate()
            .filter(move |(number, _)| number % 2 == parity);
        lines.map(|(_, made)| made.clone()).collect::<Vec<_>>()
    };
    let (one, other) = (server(0), server(1));
    let directory = tempfile::tempdir().unwrap();
    let mut inputs = Vec::new();
    for (number, part) in [
        &one[7_000..],
        &one[..7_000],
        &other[9_000..],
        &other[..9_000],
    ]
    .into_iter()
    .enumerate()
    {
        let path = directory.path().join(format!("access.log.{number}"));
        let lines: Vec<String> = part.iter().map(Made::line).collect();
        std::fs::write(&path, lines.join("\n")).unwrap();
        inputs.push(Input::File(path));
    }
    let report = replay(inputs);
    assert_eq!(report.input.late, 0);
    let lines: Vec<u64> = report.input.files.iter().map(|file| file.lines).collect();
    assert_eq!(lines, [5_000, 7_000, 3_000, 9_000]);
    assert_eq!(without_files(report), expected);
}

#[test]
fn times_that_are_nonsense_in_one_log_make_nothing_late_in_another() {
    let all = made(24_000, 300, 12);
    let half = |parity: usize| {
        let lines = all
            .iter()
            .enumerate()
            .filter(|(number, _)| number % 2 == parity);
        lines.map(|(_, made)| made.clone()).collect::<Vec<_>>()
    };
    let (mut one, other) = (half(0), half(1));
    // So many that they stay.
    for made in &mut one[5..15] {
        made.micros += 10 * 366 * 86_400 * 1_000_000;
    }
    let replay = Replay::new(policies(POLICIES)).inputs(vec![log(&one), log(&other)]);
    let report = replay
        .buffer(100)
        .what_if(false)
        .run(&Progress::new())
        .unwrap();
    assert_eq!((report.totals.requests, report.input.late), (24_000, 0));
}

#[test]
fn a_silent_pipe_ends_when_told_to_with_what_it_gave() {
    let text: Vec<String> = made(20, 3, 8).iter().map(Made::line).collect();
    let text = text.join("\n") + "\n203.0.113.5 - - [05/Nov";
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    packed.flush().unwrap();
    let frame = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
    for sent in [text.as_bytes(), packed.get_ref(), &frame] {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(sent).unwrap();
        let path = format!("/proc/self/fd/{}", reader.as_raw_fd());
        let replay = Replay::new(policies(POLICIES)).inputs(vec![Input::File(path.into())]);
        let progress = Progress::new();
        let all = u64::try_from(sent.len()).unwrap();
        let report = thread::scope(|scope| {
            let running = scope.spawn(|| replay.run(&progress).unwrap());
            until("all was read", || progress.consumed() == all);
            progress.stop();
            running.join().unwrap()
        });
        assert!(!report.complete);
        let input = &report.input;
        assert_eq!((input.requests, input.rejected), (20, 0), "{input:?}");
        assert_eq!((report.totals.requests, &input.files[0].error), (20, &None));
        drop(writer);
    }
}

#[test]
fn an_interrupted_run_reports_what_was_read() {
    let all = made(60_000, 30, 8);
    let progress = Progress::new();
    let mut replay = Replay::new(policies(POLICIES))
        .inputs(vec![log(&all)])
        .what_if(false);
    let mut engine = Engine::new(&replay.policies, replay.max_keys, false);
    replay.logs.buffer = 100;
    let mut decided = 0;
    let found = replay.logs.for_each(&progress, |at, view| {
        decided += 1;
        if decided == 5_000 {
            progress.stop();
        }
        let came = Came {
            at,
            duration: view.entry.duration(),
            status: view.entry.status(),
            resolution: u64::from(view.entry.resolution),
        };
        engine.decide(came, &view);
    });
    let report = replay.report(engine, found.unwrap());
    assert!(!report.complete);
    let read = usize::try_from(report.input.lines).unwrap();
    assert!((5_000..60_000).contains(&read), "{read}");
    assert_eq!(
        (
            report.totals.requests,
            progress.lines(),
            progress.requests()
        ),
        (report.input.lines, report.input.lines, report.input.lines)
    );

    let prefix = Replay::new(policies(POLICIES))
        .inputs(vec![log(&all[..read])])
        .what_if(false);
    let prefix = prefix.run(&Progress::new()).unwrap();
    assert!(prefix.complete);
    let policies = |report: &Report| serde_json::to_string(&report.policies).unwrap();
    assert_eq!(report.totals, prefix.totals);
    assert_eq!(policies(&report), policies(&prefix));
}

#[test]
fn a_run_that_was_stopped_before_it_began_is_empty() {
    let progress = Progress::new();
    progress.stop();
    let replay = Replay::new(policies(POLICIES)).inputs(vec![log(&made(10, 2, 9))]);
    let report = replay.run(&progress).unwrap();
    assert_eq!(
        (report.complete, report.totals.requests, report.from),
        (false, 0, None)
    );
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

#[test]
fn no_log_and_one_that_cannot_be_opened_are_errors_that_name_the_remedy_or_the_file() {
    let error = |inputs| {
        Replay::new(one("\"1/s\""))
            .inputs(inputs)
            .run(&Progress::new())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(vec![]),
        "no log is named; name files, or - for standard input"
    );
    let missing = error(vec![Input::File("/nowhere/access.log".into())]);
    assert!(
        missing.starts_with("cannot read /nowhere/access.log: "),
        "{missing}"
    );
}

#[test]
fn requests_of_logs_can_be_gone_through_again() {
    let made = made(500, 9, 10);
    let mut lines = made.clone();
    shuffled(&mut lines, 11);
    let mut file = tempfile::tempfile().unwrap();
    let Input::Text { bytes, .. } = log(&lines) else {
        panic!("a text");
    };
    file.write_all(&bytes).unwrap();
    let opened = Input::Opened {
        name: "standard input".into(),
        file: Arc::new(file),
    };
    let expected: Vec<Request> = made.iter().map(Made::request).collect();
    let mut requests = LogRequests::for_policies(vec![opened], &policies(POLICIES));
    for _ in 0..2 {
        let mut given = Vec::new();
        requests
            .for_each(&mut |request| given.push(request.clone()))
            .unwrap();
        assert!(requests.is_complete());
        assert_eq!(
            (requests.input().lines, requests.input().requests),
            (500, 500)
        );
        assert_eq!(given.len(), expected.len());
        for (given, expected) in given.iter().zip(&expected) {
            assert_eq!(
                (given.at, given.duration, given.status),
                (expected.at, expected.duration, expected.status)
            );
            assert_eq!(given.client, expected.client);
            let mut attributes = [given.attributes.clone(), expected.attributes.clone()];
            attributes
                .iter_mut()
                .for_each(|attributes| attributes.sort());
            assert_eq!(attributes[0], attributes[1]);
        }
    }
}
