//! Answers that were worked out by hand, where other limiters have been wrong.

use crate::run::{admitted, field, lines};

/// Limits, what of them is right, and the answers.
struct Case {
    behaviour: &'static str,
    limits: &'static [&'static str],
    /// A line for each request: when, cost; verdict, remaining, reset after, retry after.
    answers: &'static str,
}

const CASES: &[Case] = &[
    // B01
    Case {
        behaviour: "idling stores no more than the burst",
        limits: &["5/s"],
        answers: "
            0 5   allow 0 1   -
            0 1   deny  0 1   0.2
            2 5   allow 0 1   -
            2 1   deny  0 1   0.2
        ",
    },
    // B03
    Case {
        behaviour: "a denial waits for one unit, not for the burst",
        limits: &["1/s burst 10"],
        answers: "
            0 10  allow 0 10  -
            0 1   deny  0 10  1
            1 1   allow 0 10  -
        ",
    },
    // B07
    Case {
        behaviour: "a bucket refills within a second",
        limits: &["10/s"],
        answers: "
            0.05 10  allow 0 1    -
            0.55 0   allow 5 0.5  -
            1.00 0   allow 9 0.05 -
            1.05 0   allow 10 0   -
        ",
    },
    // B13
    Case {
        behaviour: "a clock that steps far back makes nobody wait for it",
        limits: &["1/s"],
        answers: "
            7200 1  allow 0 1 -
            3600 1  deny  0 1 1
            3601 1  allow 0 1 -
        ",
    },
    // B15
    Case {
        behaviour: "a window and the wait for its end are one",
        limits: &["3/min fixed-window"],
        answers: "
            0  1  allow 2 60 -
            10 1  allow 1 50 -
            20 1  allow 0 40 -
            30 1  deny  0 30 30
            40 1  deny  0 20 20
            50 1  deny  0 10 10
            60 1  allow 2 60 -
        ",
    },
    // B17
    Case {
        behaviour: "what is denied makes no window longer",
        limits: &["1/h fixed-window"],
        answers: "
            0    1  allow 0 3600 -
            3540 1  deny  0 60   60
            3601 1  allow 0 3599 -
        ",
    },
    Case {
        behaviour: "what is denied puts off no refill",
        limits: &["1/h"],
        answers: "
            0    1  allow 0 3600 -
            3540 1  deny  0 60   60
            3601 1  allow 0 3600 -
        ",
    },
    Case {
        behaviour: "what is denied stays in no log",
        limits: &["1/h sliding-log"],
        answers: "
            0    1  allow 0 3600 -
            3540 1  deny  0 60   60
            3601 1  allow 0 3600 -
        ",
    },
    // B19
    Case {
        behaviour: "a sliding window is waited for until it admits, not until it ends",
        limits: &["60/min sliding-window"],
        answers: "
            59 60  allow 0 61  -
            61 1   allow 0 119 -
            62 1   allow 0 118 -
            63 1   allow 0 117 -
            64 1   allow 0 116 -
            65 1   allow 0 115 -
            66 1   allow 0 114 -
            67 1   allow 0 113 -
            68 1   allow 0 112 -
            69 1   allow 0 111 -
            70 1   allow 0 110 -
            71 1   allow 0 109 -
            72 1   allow 0 108 -
            72 1   deny  0 108 1
            73 1   allow 0 107 -
        ",
    },
    // B21
    Case {
        behaviour: "a bucket refills under a steady drip",
        limits: &["10/30s"],
        answers: "
            0  1  allow 9 3  -
            1  1  allow 8 5  -
            2  1  allow 7 7  -
            3  1  allow 7 9  -
            4  1  allow 6 11 -
            5  1  allow 5 13 -
            6  1  allow 5 15 -
            7  1  allow 4 17 -
            8  1  allow 3 19 -
            9  1  allow 3 21 -
            10 1  allow 2 23 -
        ",
    },
    // B23
    Case {
        behaviour: "a bucket is never fuller than full, and refills as long as was taken",
        limits: &["5/50s"],
        answers: "
            0    1  allow 4 10 -
            3600 0  allow 5 0  -
            3600 5  allow 0 50 -
        ",
    },
    // B25
    Case {
        behaviour: "fixed windows admit twice as much across an edge",
        limits: &["5/min fixed-window"],
        answers: "
            59.5 5  allow 0 0.5  -
            60.5 5  allow 0 59.5 -
            60.5 1  deny  0 59.5 59.5
        ",
    },
    Case {
        behaviour: "a sliding log has no edges",
        limits: &["5/min sliding-log"],
        answers: "
            59.5 5  allow 0 60 -
            60.5 1  deny  0 59 59
        ",
    },
    // B29
    Case {
        behaviour: "an admission leaves the log exactly a period later",
        limits: &["1/s sliding-log"],
        answers: "
            0        1  allow 0 1        -
            1.001    1  allow 0 1        -
            2.001    1  allow 0 1        -
            3.000999 1  deny  0 0.000001 0.000001
        ",
    },
    // B31
    Case {
        behaviour: "what has passed of an interval is waited for no more",
        limits: &["5/300s"],
        answers: "
            0   5  allow 0 300 -
            59  1  deny  0 241 1
        ",
    },
    Case {
        behaviour: "a full bucket keeps no fraction of a unit",
        limits: &["5/300s"],
        answers: "
            0   5  allow 0 300 -
            330 5  allow 0 300 -
            330 1  deny  0 300 60
        ",
    },
    // B33
    Case {
        behaviour: "a sliding window of one admits when the last one counts for nothing",
        limits: &["1/10s sliding-window"],
        answers: "
            0    1  allow 0 20   -
            9.9  1  deny  0 10.1 10.1
            10.1 1  deny  0 9.9  9.9
            20.1 1  allow 0 19.9 -
        ",
    },
    // B59, B91
    Case {
        behaviour: "waits of less than a second are not cut to nothing",
        limits: &["10/s"],
        answers: "
            0 10  allow 0 1 -
            0 1   deny  0 1 0.1
        ",
    },
    Case {
        behaviour: "a wait is what is left of it",
        limits: &["1/s"],
        answers: "
            0   1  allow 0 1   -
            0.6 1  deny  0 0.4 0.4
        ",
    },
    // B63
    Case {
        behaviour: "the numbers are those of the limit that denies",
        limits: &["60/min", "4/h fixed-window"],
        answers: "
            600 4  allow 0 3000 -
            600 1  deny  0 3000 3000
        ",
    },
    // B69
    Case {
        behaviour: "a window of a minute is told from its own beginning",
        limits: &["50/min fixed-window"],
        answers: "10 3  allow 47 50 -",
    },
    Case {
        behaviour: "a window of an hour is told from its own beginning",
        limits: &["1000/h fixed-window"],
        answers: "10 3  allow 997 3590 -",
    },
    // B71
    Case {
        behaviour: "what is left of a weighted window is whole",
        limits: &["5/10s sliding-window"],
        answers: "
            0  5  allow 0 20 -
            17 0  allow 3 3  -
            17 3  allow 0 13 -
            17 1  deny  0 13 1
            18 1  allow 0 12 -
        ",
    },
    // B95, B141
    Case {
        behaviour: "what can never fit is told apart from what must wait, and spends nothing",
        limits: &["1/min burst 5"],
        answers: "
            0 10  never 5 0   -
            0 0   allow 5 0   -
            0 5   allow 0 300 -
            0 0   allow 0 300 -
            0 6   never 0 300 -
        ",
    },
    // B115
    Case {
        behaviour: "20/s is one every 50 ms",
        limits: &["20/s burst 60"],
        answers: "
            0    60  allow 0 3 -
            0    1   deny  0 3 0.05
            0.05 1   allow 0 3 -
        ",
    },
    // B123
    Case {
        behaviour: "a limit may be larger than 32 bits hold",
        limits: &["5000000000/d fixed-window"],
        answers: "
            0 4999999999  allow 1 86400 -
            1 2           deny  1 86399 86399
            1 1           allow 0 86399 -
        ",
    },
    // B127
    Case {
        behaviour: "a window of milliseconds begins anew each time",
        limits: &["2/5ms fixed-window"],
        answers: "
            0     2  allow 0 0.005 -
            0.001 1  deny  0 0.004 0.004
            0.005 2  allow 0 0.005 -
            0.015 2  allow 0 0.005 -
            0.015 1  deny  0 0.005 0.005
        ",
    },
    // B139
    Case {
        behaviour: "a drained burst refills unit by unit",
        limits: &["30/min burst 16"],
        answers: "
            0 1   allow 15 2  -
            0 15  allow 0  32 -
            0 1   deny  0  32 2
            2 1   allow 0  32 -
        ",
    },
];

#[test]
fn answers_are_those_that_were_worked_out() {
    for case in CASES {
        let rows = case.answers.lines().map(str::trim);
        let rows = rows.filter(|row| !row.is_empty());
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split_whitespace().collect()).collect();
        let trace: String = rows
            .iter()
            .map(|row| format!("{} {}\n", row[0], row[1]))
            .collect();
        let arguments: Vec<&str> = [case.limits, &["--format", "json"]].concat();
        let answers = lines(&arguments, &trace);
        assert_eq!(answers.len(), rows.len(), "{}", case.behaviour);
        for (answer, row) in answers.iter().zip(&rows) {
            let names = ["verdict", "remaining", "reset_after", "retry_after"];
            let told = names.map(|name| field(answer, name).replace("null", "-"));
            assert_eq!(told, row[2..], "{}\n{row:?}\n{answer}", case.behaviour);
        }
    }
}

const ALGORITHMS: [&str; 4] = [
    "token-bucket",
    "fixed-window",
    "sliding-window",
    "sliding-log",
];

// B05
#[test]
fn a_clock_that_goes_back_and_forth_gives_nothing_away() {
    let pairs = (0..100).flat_map(|_| [("9", 1), ("10", 1)]);
    let instants: Vec<_> = [("10", 5)].into_iter().chain(pairs).collect();
    for algorithm in ALGORITHMS {
        let admitted = admitted(&format!("5/s {algorithm}"), &instants);
        assert_eq!(admitted.iter().sum::<usize>(), 5, "{algorithm}");
    }
}

// B09
#[test]
fn the_end_of_time_decides_like_its_beginning() {
    // Windows begin at multiples of 10 s in both. Time ends in 9 007 199 254 s; a reset that
    // would lie beyond is told as that.
    let (beginning, end) = (0, 9_007_199_200);
    for algorithm in ALGORITHMS {
        let answers = [beginning, end].map(|origin: u64| {
            let trace: String = (0..24)
                .map(|second| format!("{}.7 {}\n", origin + second, second % 3))
                .collect();
            let lines = lines(&[&format!("5/10s {algorithm}"), "--format", "json"], &trace);
            let answers = lines.iter().map(|line| {
                let (_, answer) = line.split_once("\"verdict\"").unwrap();
                answer.to_owned()
            });
            answers.collect::<Vec<_>>()
        });
        assert_eq!(answers[0], answers[1], "{algorithm}");
    }
}

// B17
#[test]
fn a_rate_below_the_limit_is_never_denied_all_day() {
    let trace: String = (0..2_880).map(|hit| format!("{}\n", hit * 30)).collect();
    for algorithm in ALGORITHMS {
        let limit = format!("100/min {algorithm}");
        let answers = lines(&[&limit, "--format", "json"], &trace);
        assert_eq!(answers.len(), 2_880);
        for answer in answers {
            assert_eq!(field(&answer, "verdict"), "allow", "{algorithm} {answer}");
        }
    }
}

// B75
#[test]
fn a_rate_below_a_short_limit_is_never_denied() {
    let trace: String = (0..30_000)
        .map(|hit| format!("{}.{:03}\n", hit / 500, hit % 500 * 2))
        .collect();
    let answers = lines(&["3000/s fixed-window", "--format", "json"], &trace);
    let denied = answers.iter().filter(|line| line.contains("\"deny\""));
    assert_eq!((answers.len(), denied.count()), (30_000, 0));
}

// B81
#[test]
fn what_is_denied_is_not_counted() {
    let limits = [
        "10/h",
        "10/h fixed-window",
        "10/h sliding-window",
        "10/h sliding-log",
    ];
    for limit in limits {
        // A count of all fifty would deny for four hours more.
        let windows = [("0", 50), ("7200", 10)];
        assert_eq!(admitted(limit, &windows), [10, 10], "{limit}");
    }
}

// B145
#[test]
fn the_limit_that_decides_is_named() {
    let trace = "0\n".repeat(10);
    let answers = lines(&["1/s", "100/2s", "--format", "json"], &trace);
    for (number, answer) in answers.iter().enumerate() {
        let verdict = if number == 0 { "allow" } else { "deny" };
        assert_eq!(field(answer, "verdict"), verdict);
        assert_eq!(field(answer, "decided_by"), "1/s");
    }
}
