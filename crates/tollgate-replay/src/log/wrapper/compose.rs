//! The prefix of Docker Compose.

use crate::log::text::scan::word;

/// A time as `docker compose logs -t` writes it: always to the nanosecond, in UTC, which no server does
/// by itself.
const TIME: &[u8] = b"0000-00-00T00:00:00.000000000Z";

/// `web-1  | line` as `docker compose logs` writes it, perhaps in colours, and with a time before the
/// line. Nothing else begins with a name and a bar that blanks stand around.
pub(super) fn read(line: &[u8]) -> Option<&[u8]> {
    let (name, rest) = word(after_colour(line));
    // Names are aligned with blanks.
    let rest = rest.trim_ascii_start().strip_prefix(b"|")?;
    if !is_name(name) {
        return None;
    }
    let rest = after_colour(rest);
    let rest = match rest {
        [] => rest,
        [b' ', rest @ ..] => after_colour(rest),
        _ => return None,
    };
    Some(after_time(rest))
}

/// Whether it is the name of a container, which has letters: a row of numbers and dots may be an address.
fn is_name(name: &[u8]) -> bool {
    let made_of = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    name.iter().all(made_of) && name.iter().any(u8::is_ascii_alphabetic)
}

/// What follows the sequence that sets a colour, if there is one.
fn after_colour(text: &[u8]) -> &[u8] {
    let Some(sequence) = text.strip_prefix(b"\x1b[") else {
        return text;
    };
    let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let length = sequence.iter().take_while(is_number).count();
    match sequence.get(length..) {
        Some([b'm', rest @ ..]) => rest,
        _ => text,
    }
}

fn after_time(line: &[u8]) -> &[u8] {
    let Some((time, rest)) = line.split_at_checked(TIME.len()) else {
        return line;
    };
    let mut pairs = time.iter().zip(TIME);
    let is_time = pairs.all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte == form,
    });
    match rest {
        _ if !is_time => line,
        [] => rest,
        [b' ', rest @ ..] => rest,
        _ => line,
    }
}
