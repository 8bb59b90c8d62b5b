//! The Redis protocol as a server speaks it: bytes to commands, answers to bytes.
//!
//! It holds no socket, waits for nothing and decides nothing: whoever has a connection gives it what
//! was read, and writes what it has made.
//!
//! ```
//! use tollgate_resp::{Bounds, Parser, Replies, Version};
//!
//! let mut parser = Parser::new(Bounds::default());
//! let read = b"*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n*1\r\n$4\r\nPI"; // one command, and a part of the next
//! let command = parser.next(read)?.expect("a whole command");
//! assert_eq!(command.get(1), Some(&b"hi"[..]));
//! let taken = command.length();
//! assert!(parser.next(&read[taken..])?.is_none());
//!
//! let mut replies = Replies::new(Version::Resp2);
//! replies.bulk(b"hi");
//! assert_eq!(replies.bytes(), b"$2\r\nhi\r\n");
//! # Ok::<(), tollgate_resp::ProtocolError>(())
//! ```
//!
//! # Guarantees
//!
//! * Nothing is copied: a command's arguments are slices of what was read, but for those of a line
//!   with quotes in it.
//! * What is looked at once is not looked at again, however small the parts in which a command
//!   arrives.
//! * Everything has a [bound](Bounds), and what passes it is refused by the number that announces
//!   it, before anything is kept for it.

mod bounds;
mod command;
mod error;
mod inline;
mod number;
mod parser;
mod replies;

pub use bounds::Bounds;
pub use command::{Command, encode};
pub use error::ProtocolError;
pub use parser::Parser;
pub use replies::{Replies, Version};
