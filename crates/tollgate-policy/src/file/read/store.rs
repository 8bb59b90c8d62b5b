//! `[store]`.

use std::time::Duration;

use crate::file::check::Fields;
use crate::file::report::Report;
use crate::file::secrets::has_password;
use crate::file::settings::{Secret, StoreSettings};
use crate::file::url::{StoreKind, StoreUrl};
use crate::file::{duration, suggestion};

const MIN_SECRET: usize = 16;
const MAX_PREFIX: usize = 64;

/// What means nothing for a kind of store.
const ONLY_IN_MEMORY: [&str; 2] = ["max_keys", "max_log_size"];
const ONLY_ELSEWHERE: [&str; 5] = [
    "timeout",
    "max_waiting",
    "max_failures",
    "denial_cache",
    "prefix",
];

/// The settings; where a field is wrong, its default stands.
pub(in crate::file) fn store(fields: &Fields<'_>, report: &mut Report) -> StoreSettings {
    let default = StoreSettings::default();
    let url = fields.text("url");
    let is_literal = url.is_none_or(|url| !url.is_expanded());
    let url_is_wrong = fields.has("url") && url.is_none();
    let url = url.map(|text| (text, StoreUrl::read(text, report)));
    // Also of a URL that is wrong, which somebody has to touch anyway.
    if let Some((text, _)) = &url
        && !text.is_expanded()
        && has_password(text.value())
    {
        report
            .warning(
                text.span(),
                "the password of the store stands in the file, and whoever reads that has it",
            )
            .help("take it from the environment: `redis://:${REDIS_PASSWORD}@HOST`");
    }
    let url = match url {
        Some((_, url)) => url,
        None if url_is_wrong => None,
        None => Some(default.url.clone()),
    };
    if let Some(url) = &url
        && is_literal
    {
        unused(fields, url.kind(), report);
    }
    StoreSettings {
        url: url.unwrap_or(default.url),
        timeout: fields
            .duration(
                "timeout",
                Duration::from_millis(1),
                Duration::from_secs(60),
                report,
            )
            .unwrap_or(default.timeout),
        max_waiting: fields.integer("max_waiting").unwrap_or(default.max_waiting),
        max_failures: fields
            .integer("max_failures")
            .unwrap_or(default.max_failures),
        denial_cache: fields
            .integer("denial_cache")
            .unwrap_or(default.denial_cache),
        prefix: prefix(fields, report).unwrap_or(default.prefix),
        hash_secret: hash_secret(fields, report),
        max_keys: fields.integer("max_keys").unwrap_or(default.max_keys),
        max_log_bytes: fields
            .text("max_log_size")
            .and_then(|text| duration::read_size(text, "max_log_size", report))
            .unwrap_or(default.max_log_bytes),
    }
}

/// Warns of fields that mean nothing, unless the environment chooses the store.
fn unused(fields: &Fields<'_>, kind: StoreKind, report: &mut Report) {
    let (names, place, help): (&[&str], _, _) = match kind {
        StoreKind::Memory => (
            &ONLY_ELSEWHERE,
            "in memory",
            "leave it out, or write the `url` of a store",
        ),
        StoreKind::Redis => (&ONLY_IN_MEMORY, "in Redis", "leave it out"),
    };
    for name in names.iter().filter(|name| fields.is_written(name)) {
        report
            .warning(
                fields.span_of_name(name),
                format!("`{name}` has no effect on a store {place}"),
            )
            .help(help);
    }
}

fn prefix(fields: &Fields<'_>, report: &mut Report) -> Option<String> {
    let text = fields.text("prefix")?;
    let value = text.value();
    let wrong = value.char_indices().find(|(_, character)| {
        !character.is_ascii_alphanumeric() && !matches!(character, '-' | '_' | '.' | ':' | '/')
    });
    if let Some((at, character)) = wrong {
        report
            .error(
                text.span_of(at..at + character.len_utf8()),
                format!(
                    "`prefix` cannot hold {}",
                    suggestion::quoted(&character.to_string())
                ),
            )
            .help("use letters, digits, `-`, `_`, `.`, `:` and `/`");
        return None;
    }
    if value.len() > MAX_PREFIX {
        report
            .error(
                text.span(),
                format!("`prefix` has {} characters", value.len()),
            )
            .help(format!("write at most {MAX_PREFIX}"));
        return None;
    }
    Some(value.to_owned())
}

fn hash_secret(fields: &Fields<'_>, report: &mut Report) -> Option<Secret> {
    let text = fields.text("hash_secret")?;
    if text.value().len() < MIN_SECRET {
        report
            .error(
                text.span(),
                format!(
                    "`hash_secret` has fewer than {MIN_SECRET} bytes, so that it can be guessed"
                ),
            )
            .help("write a longer one, such as what `openssl rand -hex 32` prints");
        return None;
    }
    if !text.is_expanded() {
        report
            .warning(text.span(), "the secret stands in the file, and whoever reads that can test guesses of what it hashes")
            .help("take it from the environment: `hash_secret = \"${TOLLGATE_HASH_SECRET}\"`");
    }
    Some(Secret::new(text.value()))
}
