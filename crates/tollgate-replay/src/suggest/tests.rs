//! Traffic for which it is known what is enough.

mod exact;
mod known;
mod traffic;
