//! Combined lines, until there is a reader for all of their kinds.

use std::borrow::Cow;

use tollgate::{Micros, Timestamp};

use super::{Line, Peer, Record, Reject, TimeBasis};

pub(super) fn read(line: &[u8]) -> Result<Line<'_>, Reject> {
    let line = std::str::from_utf8(line).map_err(|_| Reject::UnknownForm)?;
    let (before, rest) = line.split_once(" [").ok_or(Reject::UnknownForm)?;
    let (time, rest) = rest.split_once("] \"").ok_or(Reject::Unfinished)?;
    let (request, rest) = rest.split_once('"').ok_or(Reject::Unfinished)?;
    let at = time_of(time).ok_or(Reject::Time)?;
    let mut record = Record::at(at, TimeBasis::End, Micros::SECOND);
    let (peer, rest_before) = before.split_once(' ').ok_or(Reject::TooFewFields)?;
    record.peer = peer
        .parse()
        .map_or_else(|_| Peer::Name(peer.into()), Peer::Address);
    record.user = rest_before
        .split_once(' ')
        .map(|(_, user)| user)
        .filter(|user| *user != "-")
        .map(Cow::from);
    let mut words = request.split(' ');
    record.method = words.next().filter(|word| !word.is_empty()).map(Cow::from);
    if let Some(target) = words.next() {
        let (path, query) = target
            .split_once('?')
            .map_or((target, None), |(path, query)| (path, Some(query)));
        record.path = Some(path.into());
        record.query = query.map(Cow::from);
    }
    let status = rest
        .split_ascii_whitespace()
        .next()
        .ok_or(Reject::TooFewFields)?;
    record.status = status.parse().ok().filter(|status| *status >= 100);
    Ok(Line::Request(record))
}

/// `05/Nov/2026:06:25:02 +0000`
fn time_of(text: &str) -> Option<Timestamp> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<u64>().ok();
    let month = u64::try_from(MONTHS.find(text.get(3..6)?)? / 3).ok()? + 1;
    let (day, year) = (number(0..2)?, number(7..11)?.checked_sub(1)?);
    // Days since 1 March of the year 0 (Howard Hinnant's `days_from_civil`).
    let (year, month) = if month > 2 {
        (year + 1, month - 3)
    } else {
        (year, month + 9)
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    let minutes = number(12..14)? * 60 + number(15..17)?;
    let seconds = (days.checked_sub(719_468)? * 1440 + minutes) * 60 + number(18..20)?;
    let offset = (number(22..24)? * 60 + number(24..26)?) * 60;
    let seconds = match text.get(21..22)? {
        "+" => seconds.checked_sub(offset)?,
        _ => seconds + offset,
    };
    Some(Timestamp::from_secs(seconds))
}
