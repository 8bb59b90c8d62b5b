//! Since when and until when a certificate is valid.

use std::path::Path;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tollgate::{Clock as _, SystemClock};
use x509_cert::Certificate;
use x509_cert::der::Decode as _;

/// What is valid for less is worth a warning: 14 days, in seconds.
const SOON: u64 = 14 * 24 * 60 * 60;

/// Logs what is odd about the time that the first certificate is valid, and gives its end, in seconds
/// since the epoch. Clients would refuse it, not the daemon: so it can be used.
pub(super) fn look_at(file: &Path, chain: &[CertificateDer<'_>]) -> Option<u64> {
    let certificate = Certificate::from_der(chain.first()?).ok()?;
    let validity = certificate.tbs_certificate().validity();
    let begin = validity.not_before.to_unix_duration().as_secs();
    let end = validity.not_after.to_unix_duration().as_secs();
    let now = SystemClock::new().now().as_micros() / 1_000_000;
    let file = file.display();
    match oddity(begin, end, now) {
        Some(Oddity::NotYet) => {
            tracing::warn!(%file, "the certificate is not valid yet: clients will refuse it");
        }
        Some(Oddity::Expired) => {
            tracing::warn!(%file, "the certificate has expired: clients will refuse it");
        }
        Some(Oddity::Soon { days }) => {
            tracing::warn!(%file, days, "the certificate expires soon");
        }
        None => {}
    }
    Some(end)
}

#[derive(Debug, PartialEq, Eq)]
enum Oddity {
    NotYet,
    Expired,
    Soon { days: u64 },
}

/// All in seconds since the epoch. Both ends belong to it (RFC 5280, section 4.1.2.5).
const fn oddity(begin: u64, end: u64, now: u64) -> Option<Oddity> {
    if now < begin {
        Some(Oddity::NotYet)
    } else if now > end {
        Some(Oddity::Expired)
    } else if end - now < SOON {
        Some(Oddity::Soon {
            days: (end - now) / (24 * 60 * 60),
        })
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_that_clients_refuse_or_soon_will_is_odd() {
        let day = 24 * 60 * 60;
        for (begin, end, expected) in [
            (0, 1_000 * day, None),
            (101 * day, 1_000 * day, Some(Oddity::NotYet)),
            (0, 100 * day, Some(Oddity::Soon { days: 0 })),
            (0, 100 * day - 1, Some(Oddity::Expired)),
            (0, 114 * day - 1, Some(Oddity::Soon { days: 13 })),
            (0, 114 * day, None),
        ] {
            assert_eq!(oddity(begin, end, 100 * day), expected, "{begin} {end}");
        }
    }
}
