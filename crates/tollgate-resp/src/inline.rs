//! Commands that are a line of text, as a person types them.

use std::ops::Range;

use crate::ProtocolError;

/// Splits a line at white space. Where it has quotes, `unquoted` becomes its text without them, and
/// the arguments are parts of that; else they are parts of the line. True in the first case.
pub(crate) fn split(
    line: &[u8],
    arguments: &mut Vec<Range<usize>>,
    unquoted: &mut Vec<u8>,
) -> Result<bool, ProtocolError> {
    if line.iter().any(|byte| matches!(byte, b'"' | b'\'')) {
        unquote(line, arguments, unquoted)?;
        return Ok(true);
    }
    let mut start = None;
    for (at, byte) in line.iter().enumerate() {
        match (is_space(*byte), start) {
            (true, Some(from)) => {
                arguments.push(from..at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    arguments.extend(start.map(|from| from..line.len()));
    Ok(false)
}

/// White space, as the C library has it.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// As `redis-cli` and Redis split lines: `"…"` with escapes, `'…'` where only the quote itself can be
/// escaped, and white space after a closing quote.
fn unquote(
    line: &[u8],
    arguments: &mut Vec<Range<usize>>,
    unquoted: &mut Vec<u8>,
) -> Result<(), ProtocolError> {
    let mut rest = line.trim_ascii_start();
    while !rest.is_empty() {
        let start = unquoted.len();
        rest = argument(rest, unquoted)?;
        arguments.push(start..unquoted.len());
        let skipped = rest.iter().take_while(|byte| is_space(**byte)).count();
        rest = rest.get(skipped..).unwrap_or_default();
    }
    Ok(())
}

/// Appends one argument to `unquoted`, and gives what follows it.
fn argument<'l>(mut rest: &'l [u8], unquoted: &mut Vec<u8>) -> Result<&'l [u8], ProtocolError> {
    loop {
        rest = match rest {
            [] => return Ok(rest),
            [space, ..] if is_space(*space) => return Ok(rest),
            [b'"', inner @ ..] => return ended(double_quoted(inner, unquoted)?),
            [b'\'', inner @ ..] => return ended(single_quoted(inner, unquoted)?),
            [byte, after @ ..] => {
                unquoted.push(*byte);
                after
            }
        };
    }
}

/// What follows a closing quote, which only white space may.
fn ended(rest: &[u8]) -> Result<&[u8], ProtocolError> {
    match rest.first() {
        Some(byte) if !is_space(*byte) => Err(ProtocolError::Quotes),
        _ => Ok(rest),
    }
}

fn single_quoted<'l>(
    mut rest: &'l [u8],
    unquoted: &mut Vec<u8>,
) -> Result<&'l [u8], ProtocolError> {
    loop {
        let (byte, after) = match rest {
            [] => return Err(ProtocolError::Quotes),
            [b'\'', after @ ..] => return Ok(after),
            [b'\\', b'\'', after @ ..] => (b'\'', after),
            [byte, after @ ..] => (*byte, after),
        };
        unquoted.push(byte);
        rest = after;
    }
}

fn double_quoted<'l>(
    mut rest: &'l [u8],
    unquoted: &mut Vec<u8>,
) -> Result<&'l [u8], ProtocolError> {
    loop {
        let (byte, after) = match rest {
            [] => return Err(ProtocolError::Quotes),
            [b'"', after @ ..] => return Ok(after),
            [b'\\', b'x', high, low, after @ ..]
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                (hex(*high) << 4 | hex(*low), after)
            }
            [b'\\', escaped, after @ ..] => (unescaped(*escaped), after),
            [byte, after @ ..] => (*byte, after),
        };
        unquoted.push(byte);
        rest = after;
    }
}

const fn unescaped(byte: u8) -> u8 {
    match byte {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'a' => 7,
        other => other,
    }
}

const fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Vec<String>, ProtocolError> {
        let (mut arguments, mut unquoted) = (Vec::new(), Vec::new());
        let is_unquoted = split(line.as_bytes(), &mut arguments, &mut unquoted)?;
        let text = if is_unquoted {
            &unquoted
        } else {
            line.as_bytes()
        };
        let word = |range: Range<usize>| text[range].escape_ascii().to_string();
        Ok(arguments.into_iter().map(word).collect())
    }

    #[test]
    fn a_line_is_split_as_redis_splits_it() {
        for (line, expected) in [
            ("", vec![]),
            (" \t ", vec![]),
            ("PING", vec!["PING"]),
            ("  SET a\t b ", vec!["SET", "a", "b"]),
            (r#"ECHO "a b""#, vec!["ECHO", "a b"]),
            (r#"ECHO "" ''"#, vec!["ECHO", "", ""]),
            (r#" ECHO a"b c""#, vec!["ECHO", "ab c"]),
            (r#"ECHO "\n\x41\"\q""#, vec!["ECHO", r#"\nA\"q"#]),
            (r#"ECHO "\xZZ""#, vec!["ECHO", "xZZ"]),
            (r"ECHO 'it\'s \n'", vec!["ECHO", r"it\'s \\n"]),
        ] {
            assert_eq!(words(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn a_quote_that_does_not_end_a_word_is_refused() {
        for line in [
            r#"ECHO "a"#,
            r#"ECHO "a"b"#,
            "ECHO 'a",
            "'a'b",
            r#"ECHO "a\"#,
        ] {
            assert_eq!(words(line), Err(ProtocolError::Quotes), "{line}");
        }
    }
}
