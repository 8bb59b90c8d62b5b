//! Reports made by hand, in each form.

mod browser;
mod fixtures;
mod text;
