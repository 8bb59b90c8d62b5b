//! Reports made by hand, in each form.

mod fixtures;
mod text;
