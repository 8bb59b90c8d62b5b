//! Lines of every length, however their bytes arrive.

use std::io::{self, Read};

use super::*;

/// All lines of some bytes: number, begin, extent, after zeros.
fn all(input: impl Read) -> Vec<(u64, String, Extent, bool)> {
    let mut lines = Lines::new(input, false);
    let mut all = Vec::new();
    loop {
        let more = lines.fill();
        while let Some(piece) = lines.next() {
            let begin: Vec<u8> = piece.bytes.iter().copied().take(20).collect();
            let text = String::from_utf8_lossy(&begin).into_owned();
            all.push((piece.number, text, piece.extent, piece.after_zeros));
        }
        if !matches!(more, Ok(true)) {
            return all;
        }
    }
}

fn whole(number: u64, text: &str) -> (u64, String, Extent, bool) {
    (number, text.to_owned(), Extent::Whole, false)
}

/// Gives a few bytes at a time.
struct Drops<'b>(&'b [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let some = self.0.len().min(self.1).min(into.len());
        let (now, later) = self.0.split_at(some);
        into[..some].copy_from_slice(now);
        self.0 = later;
        Ok(some)
    }
}

#[test]
fn gives_every_line_with_its_number_whatever_ends_it() {
    let expected = vec![whole(1, "a"), whole(2, ""), whole(3, "b"), whole(4, "c")];
    assert_eq!(all(&b"a\n\nb\r\nc"[..]), expected);
    assert_eq!(all(&b"a\n\nb\r\nc\n"[..]), expected);
    assert_eq!(all(Drops(b"a\n\nb\r\nc", 1)), expected);
    assert_eq!(all(&b""[..]), []);
    assert_eq!(all(&b"\xef\xbb\xbfa"[..]), [whole(1, "a")]);
}

#[test]
fn lines_that_cross_blocks_stay_whole() {
    let mut text = Vec::new();
    for number in 0..40_000 {
        text.extend_from_slice(format!("{number:0>99}\n").as_bytes());
    }
    let mut lines = Lines::new(Drops(&text, 70_001), false);
    let mut next = 0;
    while lines.fill().unwrap() {
        while let Some(piece) = lines.next() {
            assert_eq!(piece.bytes, format!("{next:0>99}").as_bytes());
            next += 1;
        }
    }
    assert_eq!(next, 40_000);
}

#[test]
fn a_line_that_is_too_long_is_one_line_and_takes_no_memory() {
    for length in [
        LONGEST + 1,
        BLOCK - 4,
        BLOCK - 3,
        BLOCK,
        BLOCK + 1,
        5 * BLOCK,
    ] {
        let mut text = b"a\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', length));
        text.extend_from_slice(b"\nb\n");
        let x = "x".repeat(20);
        let expected = [whole(1, "a"), (2, x, Extent::TooLong, false), whole(3, "b")];
        assert_eq!(all(&text[..]), expected, "{length}");
        let lines = Lines::new(&text[..], false);
        assert_eq!(lines.block.capacity(), BLOCK);
        text.truncate(length + 2);
        assert_eq!(all(&text[..]), expected[..2], "{length} without an end");
    }
    let longest = vec![b'x'; LONGEST];
    assert_eq!(all(&longest[..]), [whole(1, &"x".repeat(20))]);
}

// T19
#[test]
fn zeros_of_any_number_before_a_line_are_dropped_and_told() {
    for length in [1, LONGEST + 1, BLOCK - 2, BLOCK, 3 * BLOCK] {
        let zeros = vec![0; length];
        let text = [b"a\n", &zeros[..], b"b\n", &zeros[..], b"\nc\n", &zeros[..]].concat();
        let after = |number, text: &str| (number, text.to_owned(), Extent::Whole, true);
        let expected = [
            whole(1, "a"),
            after(2, "b"),
            after(3, ""),
            whole(4, "c"),
            after(5, ""),
        ];
        assert_eq!(all(&text[..]), expected, "{length}");
    }
}

#[test]
fn a_line_in_which_reading_fails_is_cut() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::InvalidData.into())
        }
    }
    let (a, b) = (whole(1, "a"), (2, "b".to_owned(), Extent::Cut, false));
    assert_eq!(all((&b"a\nb"[..]).chain(Failing)), [a, b]);
}

#[test]
fn a_live_source_gives_what_is_there() {
    let mut lines = Lines::new(Drops(b"a\nb\n", 2), true);
    assert!(lines.fill().unwrap());
    assert_eq!(lines.next().unwrap().bytes, b"a");
    assert!(lines.next().is_none());
}
