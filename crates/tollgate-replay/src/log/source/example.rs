//! Lines as examples, for people to read.

/// The most characters that are shown.
const LONGEST: usize = 200;

/// The begin of a line, with everything escaped that is invisible, would move the cursor or turn the
/// text around, or is not UTF-8.
pub(super) fn shown(line: &[u8]) -> String {
    let mut shown = String::new();
    let mut left = LONGEST;
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            if left == 0 {
                return shown + "…";
            }
            left -= 1;
            match c {
                '"' | '\'' | '\\' => shown.push(c),
                _ => shown.extend(c.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            if left == 0 {
                return shown + "…";
            }
            left -= 1;
            shown.push_str(&format!("\\x{byte:02x}"));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_begin_with_the_invisible_escaped() {
        assert_eq!(shown(b"GET \"/a\\b\" ok"), "GET \"/a\\b\" ok");
        assert_eq!(shown(b"\x1b[31m\0\xff\t"), r"\u{1b}[31m\0\xff\t");
        assert_eq!(
            shown("a\u{202e}b\u{200b}ü".as_bytes()),
            r"a\u{202e}b\u{200b}ü"
        );
        let long = shown("ü".repeat(201).as_bytes());
        assert_eq!(long, "ü".repeat(200) + "…");
        assert_eq!(shown("ü".repeat(200).as_bytes()), "ü".repeat(200));
    }
}
