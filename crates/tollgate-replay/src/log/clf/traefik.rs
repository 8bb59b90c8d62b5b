//! Traefik's text, which goes on where `combined` ends.

use std::borrow::Cow;

use tollgate::Micros;

use crate::log::text::escape::present;
use crate::log::text::scan::{exactly, is_number, milliseconds, split_at_last};
use crate::log::{Record, Reject, TimeBasis};

/// What Traefik writes after the user agent, and what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traefik<'l> {
    texts: &'l [u8],
    router: &'l [u8],
    duration: Micros,
}

impl<'l> Traefik<'l> {
    /// Finds `count "router" "server" 42ms` at the end of a line. From the right, since Traefik escapes
    /// nothing: a client's quotes stand before it, and no name of a router has any.
    pub(crate) fn find(text: &'l [u8]) -> Option<Self> {
        let (rest, duration) = split_at_last(text.strip_suffix(b"ms")?, b' ')?;
        let (rest, _server) = split_at_last(rest.strip_suffix(b"\"")?, b'"')?;
        let (rest, router) = split_at_last(rest.strip_suffix(b"\" ")?, b'"')?;
        let (texts, count) = split_at_last(rest.strip_suffix(b" ")?, b' ')?;
        is_number(count).then_some(Self {
            texts,
            router,
            duration: milliseconds(duration)?,
        })
    }

    /// Fills in what it tells: its time is the begin.
    pub(crate) fn fill(self, record: &mut Record<'l>) -> Result<(), Reject> {
        record.basis = TimeBasis::Start;
        record.duration = Some(self.duration);
        record.route = present(Cow::Borrowed(self.router));
        let texts = self.texts.strip_prefix(b"\"");
        let texts = texts.and_then(|texts| texts.strip_suffix(b"\""));
        let [referer, agent] = texts
            .and_then(|texts| exactly(texts, b"\" \""))
            .ok_or(Reject::Quotes)?;
        record.referer = present(Cow::Borrowed(referer));
        record.user_agent = present(Cow::Borrowed(agent));
        Ok(())
    }
}
