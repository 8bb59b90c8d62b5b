//! Made-up traffic, and the access logs that servers would write of it.
//!
//! [`Traffic`] makes requests from a seed: clients of very different activity, bursts, attackers,
//! proxies. A [`Form`] writes a request as its server does, and says what a reader of that line can
//! [know](Known) of it. [`LogWriter`] writes a log of any length without holding it in memory.
//!
//! ```
//! use tollgate_testkit::access_log::{Form, Log, Traffic, Wrapper};
//!
//! let traffic = Traffic::new(7).clients(20).requests(100);
//! let log = Log::of(Form::ApacheCombined, Wrapper::None, traffic);
//! assert_eq!(log.lines.len(), 100);
//! assert!(log.text().contains("] \"GET "));
//! ```
//!
//! Nothing here shares code with the readers: dates, escapes and columns are written from the
//! servers' documentation.

mod arrivals;
mod escape;
mod exchange;
mod form;
mod forms;
mod known;
mod log;
mod population;
mod routes;
mod time;
mod traffic;
mod wrapper;

pub use exchange::{Exchange, PROXIES};
pub use form::Form;
pub use known::{Basis, Known};
pub use log::{Log, LogLine, LogWriter};
pub use traffic::Traffic;
pub use wrapper::Wrapper;

/// Appends formatted text to a string.
macro_rules! put {
    ($out:expr, $($arguments:tt)*) => {
        std::fmt::Write::write_fmt($out, format_args!($($arguments)*))
            .expect("a string takes all that is written to it")
    };
}
use put;

#[cfg(test)]
mod tests;
