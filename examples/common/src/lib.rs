//! What the example services share: the parts of a service that have nothing to do with rate
//! limiting, and that two services would otherwise hold word for word.
//!
//! * [`database`]: one code path over SQLite and PostgreSQL, and the address that hides its
//!   password;
//! * [`password`] and [`session_token`]: what is stored of a secret, and how;
//! * [`accounts`] and [`sessions`]: who registers, and who is logged in;
//! * [`error`] and [`extract`]: the one form of error answers, and what a handler takes;
//! * [`layers`]: traces, a limit of time, the net under a panic;
//! * [`clock`]: the time of day, a test's too;
//! * [`settings`], and by [`config_error`] how one that cannot be used is told;
//! * [`validate`]: what a client may send, with messages that name the field;
//! * [`program`]: what a program does around its service: the log, the listener, the exit code;
//! * [`server`]: serving, and stopping without cutting anyone off;
//! * `testing`, with the feature of that name: what the services' tests begin with.

pub mod accounts;
pub mod clock;
pub mod config_error;
pub mod database;
pub mod error;
pub mod extract;
pub mod layers;
pub mod password;
pub mod program;
pub mod server;
pub mod session_token;
pub mod sessions;
pub mod settings;
#[cfg(feature = "testing")]
pub mod testing;
pub mod validate;
