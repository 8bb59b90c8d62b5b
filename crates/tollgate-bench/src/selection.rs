//! Which parts of a benchmark run.

use anyhow::{Result, ensure};

use crate::report::Report;

/// The parts that are named as arguments, or all, in their own order.
///
/// # Errors
///
/// If an argument is none of them.
pub fn parts(arguments: &[String], parts: &[&'static str]) -> Result<Vec<&'static str>> {
    // cargo adds `--bench`.
    let asked: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    for part in &asked {
        ensure!(
            parts.contains(part),
            "no part is called {part:?}: the parts are {parts:?}"
        );
    }
    let parts = parts.iter().copied();
    Ok(parts
        .filter(|part| asked.is_empty() || asked.contains(part))
        .collect())
}

/// Runs each part, also after one that failed, and prints the asked figures at the end.
///
/// # Errors
///
/// If any part failed.
pub fn run_each(
    parts: &[&str],
    report: &mut Report,
    run: impl Fn(&str, &mut Report) -> Result<()>,
) -> Result<()> {
    let mut failed = Vec::new();
    for part in parts {
        if let Err(error) = run(part, report) {
            failed.push(format!("{part}: {error:#}"));
        }
    }
    report.finish()?;
    ensure!(failed.is_empty(), "failed: {}", failed.join("; "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_their_own_order() {
        let arguments = ["b", "--bench", "a"].map(str::to_owned);
        assert_eq!(parts(&arguments, &["a", "b", "c"]).unwrap(), ["a", "b"]);
        assert_eq!(parts(&[], &["a", "b"]).unwrap(), ["a", "b"]);
        assert!(parts(&arguments, &["a"]).is_err());
    }
}
