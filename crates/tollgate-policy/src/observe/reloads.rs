//! What operators see of a policy file that changes.

use std::path::Path;

#[cfg(feature = "metrics")]
use metrics::{counter, describe_counter, describe_gauge, gauge};

#[cfg(feature = "tracing")]
use crate::file::Severity;
use crate::file::{Diagnostics, Reload};

/// How often a policy file came into force since the process started.
#[cfg(feature = "metrics")]
const GENERATION: &str = "tollgate_policy_generation";
/// How often the file was read again, by `outcome`.
#[cfg(feature = "metrics")]
const RELOADS: &str = "tollgate_policy_reloads_total";
/// Whether the file as it is now can be used.
#[cfg(feature = "metrics")]
const LAST_OK: &str = "tollgate_policy_last_reload_ok";

#[cfg(feature = "metrics")]
pub(super) fn describe() {
    describe_gauge!(
        GENERATION,
        "How often a policy file came into force since the process started."
    );
    describe_counter!(
        RELOADS,
        "How often the policy file was read again, by outcome."
    );
    describe_gauge!(
        LAST_OK,
        "1, or 0 while the policy file is one that cannot be used."
    );
}

/// The file was read for the first time.
pub(crate) fn opened() {
    #[cfg(feature = "metrics")]
    {
        gauge!(GENERATION).set(1);
        gauge!(LAST_OK).set(1);
        // Both are there from the start, so that the first error is an increase.
        counter!(RELOADS, "outcome" => "ok").increment(0);
        counter!(RELOADS, "outcome" => "error").increment(0);
    }
}

/// The file was read again, and can be used.
#[cfg_attr(
    not(feature = "tracing"),
    expect(unused_variables, reason = "only the log tells of which file")
)]
pub(crate) fn succeeded(path: &Path, reload: &Reload) {
    #[cfg(feature = "metrics")]
    {
        // A gauge is a float, which holds every number that a process gets to.
        let generation = u32::try_from(reload.generation).unwrap_or(u32::MAX);
        gauge!(GENERATION).set(generation);
        gauge!(LAST_OK).set(1);
        counter!(RELOADS, "outcome" => "ok").increment(1);
    }
    #[cfg(feature = "tracing")]
    {
        let file = &reload.file;
        tracing::info!(
            file = %path.display(),
            generation = reload.generation,
            policies = file.policies.policies().len(),
            warnings = file.warnings.len(),
            "the policy file was read again"
        );
        if let Some(first) = file.warnings.first_line(Severity::Warning) {
            tracing::warn!(first = %first, "something in the policy file is probably a mistake");
        }
        if !reload.not_applied.is_empty() {
            tracing::warn!(
                file = %path.display(),
                fields = %reload.not_applied.join(", "),
                "`[store]` of the policy file is not what the program started with; that takes a restart"
            );
        }
        if reload.is_rehashed {
            tracing::warn!(
                file = %path.display(),
                "`hash_secret` is another one: what keys with secrets or long values in them had used is \
                 forgotten"
            );
        }
    }
}

/// The file was read again, and cannot be used.
#[cfg_attr(
    not(feature = "tracing"),
    expect(unused_variables, reason = "only the log tells what is wrong")
)]
pub(crate) fn failed(path: &Path, found: &Diagnostics) {
    #[cfg(feature = "metrics")]
    {
        gauge!(LAST_OK).set(0);
        counter!(RELOADS, "outcome" => "error").increment(1);
    }
    #[cfg(feature = "tracing")]
    tracing::error!(
        file = %path.display(),
        errors = found.errors(),
        first = %found.first_line(Severity::Error).unwrap_or_default(),
        "the policy file cannot be used; what was in force stays"
    );
}
