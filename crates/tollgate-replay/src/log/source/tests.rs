//! Logs from every place, in every wrapping.

use std::io::Write;

use flate2::write::GzEncoder;
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::*;

/// Lines that differ, so that no codec makes them all one.
fn log(lines: u64) -> Vec<u8> {
    let mut log = Vec::new();
    for number in 0..lines {
        let text = format!(
            "198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] \"GET /{:x} HTTP/1.1\" 200 5\n",
            number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        );
        log.extend_from_slice(text.as_bytes());
    }
    log
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

fn text(bytes: &[u8]) -> Input {
    Input::Text {
        name: "a text".to_owned(),
        bytes: bytes.to_vec(),
    }
}

fn opened(bytes: &[u8]) -> LogSource {
    LogSource::open(&text(bytes), &ReadOptions::default()).unwrap()
}

/// Reads to the end, and counts.
fn read(input: &Input) -> (LogSource, u64) {
    let mut source = LogSource::open(input, &ReadOptions::default()).unwrap();
    let mut given = 0;
    while source.read_some(&mut |_, _| given += 1).unwrap() {}
    (source, given)
}

#[test]
fn reads_plain_gzip_and_zstd_by_their_content() {
    let lines = 14_000;
    let log = log(lines);
    for (bytes, compression) in [
        (log.clone(), None),
        (gzip(&log), Some("gzip")),
        (zstd(&log), Some("zstd")),
    ] {
        let (source, given) = read(&text(&bytes));
        assert_eq!(given, lines);
        let report = source.findings().file_report(source.consumed());
        assert_eq!(report.compression.as_deref(), compression);
        assert_eq!(
            (report.lines, report.requests, report.rejected),
            (lines, lines, 0)
        );
        assert_eq!(report.error, None);
        assert_eq!(report.bytes, u64::try_from(bytes.len()).unwrap());
        assert_eq!(source.size(), Some(report.bytes));
    }
}

#[test]
fn reads_all_members_of_compressed_files_that_were_put_together() {
    let log = log(1000);
    let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    for bytes in [
        [gzip(&log), gzip(&log)].concat(),
        [zstd(&log), zstd(&log)].concat(),
        [
            &skippable,
            &zstd(&log)[..],
            &skippable,
            &zstd(&log),
            &skippable,
        ]
        .concat(),
    ] {
        let (source, given) = read(&text(&bytes));
        assert_eq!(given, 2000);
        assert_eq!(source.findings().error(), None);
    }
}

#[test]
fn what_was_read_of_a_damaged_file_counts() {
    let log = log(6_000);
    for (bytes, name) in [(gzip(&log), "gzip"), (zstd(&log), "zstd")] {
        let half = &bytes[..bytes.len() / 2];
        let (source, given) = read(&text(half));
        assert!(given > 1000, "{given}");
        let findings = source.findings();
        let error = findings.error().unwrap();
        assert_eq!(error, format!("its {name} data ends in the middle"));
        assert!(findings.rejected() <= 1, "the line in which it ends");
        assert_eq!(findings.lines(), given + findings.rejected());

        let mut flipped = bytes.clone();
        let middle = flipped.len() / 2;
        flipped[middle..middle + 64].fill(0xa5);
        let (source, _) = read(&text(&flipped));
        let error = source.findings().error().unwrap();
        assert!(
            error.starts_with(&format!("its {name} data is damaged: ")),
            "{error}"
        );
    }
}

#[test]
fn a_wrong_checksum_is_damage() {
    let mut bytes = zstd(&log(10));
    *bytes.last_mut().unwrap() ^= 1;
    let (source, given) = read(&text(&bytes));
    assert_eq!(given, 10);
    let error = source.findings().error().unwrap();
    assert_eq!(error, "its zstd data is damaged: its checksum is wrong");
}

#[test]
fn zeros_behind_the_last_member_of_gzip_are_padding() {
    let log = log(6_000);
    let (one, other) = log.split_at(log.len() / 2);
    let members = [gzip(one), gzip(other)].concat();
    for zeros in [1, 2, 511, 1_000_000] {
        let padded = [members.clone(), vec![0; zeros]].concat();
        let (source, given) = read(&text(&padded));
        assert_eq!((given, source.findings().error()), (6_000, None), "{zeros}");
        assert_eq!(source.findings().lines(), 6_000);
        // What follows is lost, and that is told.
        for more in [b"x".to_vec(), gzip(one)] {
            let (source, given) = read(&text(&[padded.clone(), more].concat()));
            assert_eq!(given, 6_000);
            let error = source.findings().error().unwrap();
            assert_eq!(
                error,
                "its gzip data is damaged: something that is no gzip follows its end"
            );
        }
    }
    let (source, given) = read(&text(&[members, b"garbage".to_vec()].concat()));
    assert_eq!(given, 6_000);
    assert!(source.findings().error().is_some());
}

#[test]
fn a_window_of_zstd_that_is_too_large_is_told_with_the_remedy() {
    // A frame that says its window has 256 MiB (RFC 8878, section 3.1.1.1.2), and an empty last block.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 18 << 3, 1, 0, 0];
    let bytes = [zstd(&log(10)), frame.to_vec()].concat();
    let (source, given) = read(&text(&bytes));
    assert_eq!(given, 10);
    assert_eq!(
        source.findings().error().unwrap(),
        "its zstd data needs a window of 256 MiB, and 128 MiB are the most that is read: compress it with `zstd --long=27` or less, or unpack it on the way in: `zstd -dc --long=31 FILE | tollgate …  -`"
    );
    let mut right = bytes.clone();
    let window = right.len() - 4;
    right[window] = 17 << 3;
    assert_eq!(read(&text(&right)).0.findings().error(), None);
}

#[test]
fn other_compressions_are_refused_with_the_remedy() {
    let error = LogSource::open(&text(b"\xfd7zXZ\0\0\0"), &ReadOptions::default()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("compressed with xz") && text.contains("xz -dc FILE |"),
        "{text}"
    );
}

#[test]
fn files_and_patterns_of_files_are_read_in_the_order_of_their_names() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("access.log"), log(3)).unwrap();
    std::fs::write(path("access.log.2.gz"), gzip(&log(2))).unwrap();
    std::fs::write(path("access.log.1"), log(1)).unwrap();
    std::fs::write(path("other"), log(9)).unwrap();
    std::fs::create_dir(path("access.log.d")).unwrap();
    let named = |name: &str| Input::named(path(name).to_str().unwrap());
    let inputs = named("access.log*").unwrap();
    let lines: Vec<u64> = inputs.iter().map(|input| read(input).1).collect();
    assert_eq!(lines, [3, 1, 2]);

    let error = named("*.gzip").unwrap_err().to_string();
    assert!(
        error.starts_with("no file matches `") && error.ends_with("/*.gzip`"),
        "{error}"
    );
    assert_eq!(Input::named("-").unwrap(), [Input::StandardInput]);

    std::fs::write(path("odd[1].log"), log(4)).unwrap();
    assert_eq!(read(&named("odd[1].log").unwrap()[0]).1, 4);
}

#[test]
fn what_cannot_be_opened_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let open = |path| LogSource::open(&Input::File(path), &ReadOptions::default());
    let missing = open(directory.path().join("missing.log")).unwrap_err();
    assert!(
        missing.to_string().contains("missing.log: No such file"),
        "{missing}"
    );
    let error = open(directory.path().to_owned()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("it is a directory; name its files"),
        "{error}"
    );
}

// T17
#[test]
fn a_last_line_without_an_end_counts_once() {
    let mut bytes = log(2);
    bytes.pop();
    assert_eq!(read(&text(&bytes)).1, 2);
    bytes.truncate(bytes.len() - 20);
    let (source, given) = read(&text(&bytes));
    assert_eq!((given, source.findings().rejected()), (1, 1));
    let rejects = source.findings().rejects();
    assert_eq!(
        (rejects[0].reason, rejects[0].examples[0].line),
        ("unfinished", 2)
    );
}

// T19
#[test]
fn a_hole_of_zeros_is_skipped_and_the_line_behind_it_read() {
    let bytes = [log(1), vec![0; 5_000_000], log(1), vec![0; 9]].concat();
    let (source, given) = read(&text(&bytes));
    assert_eq!(given, 2);
    let findings = source.findings();
    let skipped = findings.skipped();
    assert_eq!((skipped[0].kind, skipped[0].count), ("zeros", 2));
    assert_eq!((findings.lines(), findings.rejected()), (4, 0));
}

#[test]
fn a_time_beyond_what_is_counted_is_rejected_and_not_changed() {
    let line = |date: &str, took: &str| {
        format!("198.51.100.7 - - [{date} +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"-\" {took}\n")
    };
    let far = line("31/Dec/9999:23:59:59", "");
    let long = line("05/Nov/2026:06:25:02", "rt=2000000000.0");
    let good = line("05/Nov/2026:06:25:02", "rt=0.5");
    let (source, given) = read(&text((far + &long + &good).as_bytes()));
    assert_eq!(given, 1);
    let rejects = source.findings().rejects();
    assert_eq!(rejects.len(), 1);
    assert_eq!((rejects[0].reason, rejects[0].count), ("out_of_range", 2));
}

#[test]
fn rejected_lines_are_counted_with_the_first_three() {
    let mut bytes = b"what?\n".repeat(5);
    bytes.extend(std::iter::repeat_n(b'x', 300_000));
    let (source, _) = read(&text(&bytes));
    let rejects = source.findings().rejects();
    assert_eq!(rejects.len(), 2);
    assert_eq!((rejects[0].reason, rejects[0].count), ("unknown_form", 5));
    let lines: Vec<u64> = rejects[0]
        .examples
        .iter()
        .map(|example| example.line)
        .collect();
    assert_eq!(lines, [1, 2, 3]);
    let first = &rejects[0].examples[0];
    assert_eq!(
        (first.file.as_str(), first.text.as_deref()),
        ("a text", Some("what?"))
    );
    assert_eq!((rejects[1].reason, rejects[1].count), ("too_long", 1));
    let shown = rejects[1].examples[0].text.as_deref().unwrap();
    assert_eq!(shown, "x".repeat(200) + "…");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // B155
    #[test]
    fn no_damage_makes_reading_panic_or_lose_count(
        is_zstd: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        end: prop::sample::Index,
    ) {
        let log = log(200);
        let mut bytes = if is_zstd { zstd(&log) } else { gzip(&log) };
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(end.index(2 * bytes.len()).min(bytes.len()));
        if let Ok(mut source) = LogSource::open(&text(&bytes), &ReadOptions::default()) {
            let mut given = 0;
            while source.read_some(&mut |_, _| given += 1).unwrap() {}
            let findings = source.findings();
            let skipped: u64 = findings.skipped().iter().map(|skipped| skipped.count).sum();
            prop_assert_eq!(findings.requests(), given);
            prop_assert_eq!(findings.lines(), given + findings.rejected() + skipped);
        }
    }
}

#[test]
fn a_nonsense_time_is_rejected_wherever_it_stands_and_nothing_else_is() {
    let nonsense = r#"203.0.113.5 - - [05/Nov/2099:06:25:02 +0000] "GET /odd HTTP/1.1" 200 5"#;
    let lines = 14_000;
    for place in [0, 3, 7_000, 13_990, 14_000] {
        let log = String::from_utf8(log(lines)).unwrap();
        let mut all: Vec<&str> = log.lines().collect();
        all.insert(place, nonsense);
        let (mut numbers, mut source) = (Vec::new(), opened(all.join("\n").as_bytes()));
        while source.read_some(&mut |line, _| numbers.push(line)).unwrap() {}
        let odd = u64::try_from(place).unwrap() + 1;
        let expected: Vec<u64> = (1..=lines + 1).filter(|line| *line != odd).collect();
        assert_eq!(numbers, expected, "{place}");
        let rejects = source.findings().rejects();
        assert_eq!((rejects[0].reason, rejects[0].count), ("out_of_place", 1));
        let example = &rejects[0].examples[0];
        assert_eq!(
            (example.line, example.text.as_deref()),
            (odd, Some(nonsense))
        );
        let report = source.findings().file_report(0);
        assert_eq!((report.lines, report.requests), (lines + 1, lines));
    }
}

#[test]
fn a_request_that_took_long_is_in_place_by_its_end() {
    let mut log = log(100);
    let day = 86_400;
    log.extend_from_slice(
        format!(
            "198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] \"GET /socket HTTP/1.1\" 101 5 \"-\" \"-\" {}.000\n",
            30 * day
        )
        .as_bytes(),
    );
    log.extend_from_slice(&self::log(100));
    let (source, given) = read(&text(&log));
    assert_eq!(given, 201, "{:?}", source.findings());
}

#[test]
fn what_is_held_back_can_be_given_before_the_end() {
    let mut source = opened(&log(10));
    let mut given = 0;
    assert!(source.read_some(&mut |_, _| given += 1).unwrap());
    source.give_held(&mut |_, _| given += 1);
    assert_eq!(given, 10);
    while source.read_some(&mut |_, _| given += 1).unwrap() {}
    assert_eq!(given, 10);
}
