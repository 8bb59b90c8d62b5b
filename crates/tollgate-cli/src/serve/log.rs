//! The log of the daemon.

mod writer;

use std::io::{IsTerminal, stderr};

use anyhow::Context;
use tracing_subscriber::EnvFilter;

pub(super) use self::writer::Lines;
use crate::arguments::{LogFormat, Logging};

/// Libraries that warn of what any client may do, as often as it likes to: only their errors are
/// logged, unless the filter names them.
const TALKATIVE: [&str; 2] = ["h2", "hyper"];

pub(super) fn install(arguments: &Logging) -> anyhow::Result<Lines> {
    let lines = Lines::to(stderr()).context("cannot start a thread for the log")?;
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter(&arguments.log)?)
        .with_writer(lines.clone())
        .with_ansi(stderr().is_terminal());
    match arguments.log_format {
        LogFormat::Text => subscriber.init(),
        LogFormat::Json => subscriber.json().init(),
    }
    Ok(lines)
}

fn filter(text: &str) -> anyhow::Result<EnvFilter> {
    let mut filter =
        EnvFilter::try_new(text).with_context(|| format!("--log {text:?} is no filter"))?;
    for library in TALKATIVE {
        let is_named = text
            .split(',')
            .any(|directive| directive.split(['=', ':', '[']).next() == Some(library));
        if !is_named {
            filter = filter.add_directive(format!("{library}=error").parse()?);
        }
    }
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_that_warn_of_what_clients_do_log_errors_unless_they_are_named() {
        let shown = |text| filter(text).unwrap().to_string();
        for text in ["info", "debug", "tollgate_server=trace,info"] {
            let filter = shown(text);
            assert!(
                filter.contains("h2=error") && filter.contains("hyper=error"),
                "{filter}"
            );
        }
        for text in ["info,h2=debug", "h2=debug,info", "info,h2::proto=trace"] {
            let filter = shown(text);
            assert!(
                !filter.contains("h2=error") && filter.contains("hyper=error"),
                "{filter}"
            );
        }
    }

    #[test]
    fn what_is_no_filter_is_told() {
        let error = filter("tollgate=loud").unwrap_err();
        assert!(error.to_string().contains("tollgate=loud"), "{error}");
    }
}
