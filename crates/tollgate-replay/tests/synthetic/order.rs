//! The order of lines changes nothing, where it is not the order of time itself.

use std::collections::HashMap;

use tollgate::Timestamp;
use tollgate_replay::Progress;
use tollgate_testkit::access_log::{Form, Log, LogLine, Wrapper};

use crate::decisions::agree;
use crate::support::{self, bytes, decide, policies, replay, replaying, traffic};

/// Forms that tell instants in as many ways: by begin and end, exactly and in seconds.
const FORMS: [Form; 5] = [
    Form::NginxCombined,
    Form::NginxTimed,
    Form::ApacheVhost,
    Form::Caddy,
    Form::EnvoyJson,
];

/// The lines in another order: those of the same instant stay in theirs, since who comes first then
/// is what the order of lines says.
fn shuffled(log: &Log) -> Log {
    let mut places: Vec<usize> = (0..log.lines.len()).collect();
    fastrand::Rng::with_seed(3).shuffle(&mut places);
    let mut instants: HashMap<Timestamp, Vec<usize>> = HashMap::new();
    for &place in &places {
        instants
            .entry(log.lines[place].known.at)
            .or_default()
            .push(place);
    }
    for of_instant in instants.values_mut() {
        // The last is taken first.
        of_instant.sort_unstable_by(|a, b| b.cmp(a));
    }
    let lines = places.iter().map(|&place| {
        let at = log.lines[place].known.at;
        let next = instants.get_mut(&at).and_then(Vec::pop).unwrap();
        log.lines[next].clone()
    });
    Log {
        form: log.form,
        lines: lines.collect(),
    }
}

fn sorted(log: &Log) -> Log {
    let mut lines = log.lines.clone();
    lines.sort_by_key(|line| line.known.at);
    Log {
        form: log.form,
        lines,
    }
}

/// The whole report, without the size of what was read and what it was called.
fn told(log: &Log) -> serde_json::Value {
    let replay = replaying(&policies(), log.form, vec![support::input(log)]);
    let mut report = replay.run(&Progress::new()).unwrap();
    report.input.files.clear();
    serde_json::to_value(report).unwrap()
}

#[test]
fn sorted_and_shuffled_logs_give_the_same_report() {
    for form in FORMS {
        let log = Log::of(form, Wrapper::None, traffic());
        let as_written = told(&log);
        let shuffled = shuffled(&log);
        let is_same = shuffled
            .lines
            .iter()
            .zip(&log.lines)
            .all(|(a, b)| a.text == b.text);
        assert!(!is_same);
        assert_eq!(told(&sorted(&log)), as_written, "{}", form.name());
        assert_eq!(told(&shuffled), as_written, "{}", form.name());
    }
}

/// As a server rotates its log, and as several servers write one each.
#[test]
fn a_log_in_several_files_gives_the_report_of_one() {
    let file = policies();
    for form in [Form::Caddy, Form::NginxCustom] {
        let log = Log::of(form, Wrapper::None, traffic());
        let requests = support::requests(&log, &file);
        let outcome = decide(&file, &requests);
        let text = |lines: Vec<&LogLine>| -> String {
            lines.iter().map(|line| line.text.as_str()).collect()
        };
        let chunks = log.lines.chunks(1000);
        let rotated: Vec<String> = chunks.map(|chunk| text(chunk.iter().collect())).collect();
        let side_by_side: Vec<String> = (0..3)
            .map(|server| text(log.lines.iter().skip(server).step_by(3).collect()))
            .collect();
        for mut files in [rotated, side_by_side] {
            files.reverse();
            let inputs = files.into_iter().map(|file| bytes(file.into_bytes()));
            let report = replay(&file, form, inputs.collect());
            assert_eq!(report.input.late, 0);
            agree(form.name(), &report, &outcome);
        }
    }
}

/// A clock that is corrected by a quarter of an hour in the middle of a log.
#[test]
fn a_clock_that_is_set_back_in_the_middle_loses_nothing() {
    let file = policies();
    let log = Log::of(Form::Caddy, Wrapper::None, traffic());
    let (first, second) = log.lines.split_at(log.lines.len() / 2);
    // What was written after the correction is earlier than what was before.
    let turned = Log {
        form: log.form,
        lines: [second, first].concat(),
    };
    let outcome = decide(&file, &support::requests(&log, &file));
    let report = replay(&file, log.form, vec![support::input(&turned)]);
    assert_eq!((report.input.late, report.input.rejected), (0, 0));
    agree("caddy", &report, &outcome);
}
