//! The script that the server runs.

use std::sync::LazyLock;

/// The script's text: one file an algorithm, between what they share and what calls them.
pub(crate) const TEXT: &str = concat!(
    include_str!("lua/common.lua"),
    include_str!("lua/token_bucket.lua"),
    include_str!("lua/fixed_window.lua"),
    include_str!("lua/sliding_window.lua"),
    include_str!("lua/sliding_log.lua"),
    include_str!("lua/main.lua"),
);

static DIGEST: LazyLock<String> =
    LazyLock::new(|| sha1_smol::Sha1::from(TEXT).digest().to_string());

/// The name by which a server that has run the script before knows it.
pub(crate) fn digest() -> &'static str {
    &DIGEST
}
