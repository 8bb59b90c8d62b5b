//! Lines whose time is far from the times of the lines around them.

use std::collections::VecDeque;

use tollgate::Micros;

/// How many lines on either side of one are looked at.
const AROUND: usize = 16;
/// So many of the lines around one may be far off as well, on either side of the time.
const ODD: usize = 3;
/// The fewest lines around one that say anything about it.
const FEWEST: usize = 4;
/// How far a line may be out of the order of the lines before and behind it. Lines that were mixed,
/// joined in another order or written by clocks that disagree are closer.
const OUT_OF_ORDER: Micros = Micros::from_secs(7 * 86_400);
/// The longest silence after the begin or before the end of a log, of which only lines on one side
/// tell anything.
const SILENCE: Micros = Micros::from_secs(366 * 86_400);

/// Tells lines in their place from the few whose time no clock can have shown then.
///
/// A line is out of place if its time is more than [`OUT_OF_ORDER`] outside of the times of the lines
/// around it: the [`AROUND`] before that are in place, and as many behind, without the [`ODD`] earliest
/// and latest of them. Silence, however long, puts no line out of place, for the times before and
/// behind are the bounds, and not how far they are apart. With no more than [`ODD`] lines on one side, a
/// line is out of place if it is more than [`SILENCE`] outside. What varies much is given more room:
/// twice the span of the lines around.
///
/// Nearly every line is close to the one before, and is in place. The others are held until enough
/// lines behind them are known, and with them those lines, to keep the order. What comes first is held
/// too, for it may be what is out of place.
#[derive(Debug)]
pub(super) struct Neighbours<T> {
    /// The times of the last lines that are in place.
    before: [u64; AROUND],
    known: usize,
    next: usize,
    last: u64,
    held: VecDeque<(u64, T)>,
}

impl<T> Neighbours<T> {
    pub(super) const fn new() -> Self {
        Self {
            before: [0; AROUND],
            known: 0,
            next: 0,
            last: 0,
            held: VecDeque::new(),
        }
    }

    /// True if a line of this time is in place, which is noted. Otherwise it must be
    /// [held](Self::hold).
    #[inline]
    pub(super) fn pass(&mut self, time: u64) -> bool {
        let passes = self.held.is_empty() && self.is_near(time);
        if passes {
            self.note(time);
        }
        passes
    }

    /// Holds a line until more is known.
    pub(super) fn hold(&mut self, time: u64, line: T) {
        self.held.push_back((time, line));
    }

    /// The next line of which enough is known, and whether it is in place. At the end of the log that is
    /// every line.
    pub(super) fn judge(&mut self, is_end: bool) -> Option<(T, bool)> {
        let time = self.held.front()?.0;
        let is_near = self.is_near(time);
        if !is_near && !is_end && self.held.len() <= AROUND {
            return None;
        }
        let is_in_place = is_near || self.is_in_place(time);
        if is_in_place {
            self.note(time);
        }
        let (_, line) = self.held.pop_front()?;
        Some((line, is_in_place))
    }

    const fn is_near(&self, time: u64) -> bool {
        self.known > 0 && time.abs_diff(self.last) <= OUT_OF_ORDER.as_micros()
    }

    fn note(&mut self, time: u64) {
        self.last = time;
        if let Some(place) = self.before.get_mut(self.next) {
            *place = time;
        }
        self.next = (self.next + 1) % AROUND;
        self.known = (self.known + 1).min(AROUND);
    }

    fn is_in_place(&self, time: u64) -> bool {
        let before = self.before.iter().take(self.known).copied();
        let behind = self.held.iter().skip(1).take(AROUND);
        let mut around: Vec<u64> = before.chain(behind.map(|(time, _)| *time)).collect();
        if around.len() < FEWEST {
            return true;
        }
        around.sort_unstable();
        let fewer_side = self.known.min(around.len() - self.known);
        let (odd, bound) = if fewer_side > ODD {
            (ODD, OUT_OF_ORDER)
        } else {
            (ODD.min((around.len() - 1) / 4), SILENCE)
        };
        let (Some(first), Some(last)) = (around.get(odd), around.get(around.len() - 1 - odd))
        else {
            return true;
        };
        let room = bound
            .as_micros()
            .saturating_add((last - first).saturating_mul(2));
        time >= first.saturating_sub(room) && time <= last.saturating_add(room)
    }
}

#[cfg(test)]
mod tests;
