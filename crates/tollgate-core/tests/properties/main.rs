//! Properties of the algorithms, for any limit and any trace.
//!
//! `PROPTEST_CASES=20000 cargo test -p tollgate-core --test properties` runs for longer.

mod bounds;
mod changes;
mod clock;
mod extremes;
mod model;
mod packing;
mod promises;
mod refunds;
mod text;
