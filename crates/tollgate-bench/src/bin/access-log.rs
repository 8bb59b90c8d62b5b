//! Writes a made-up access log to standard output, of any length.
//!
//! ```text
//! access-log --lines 10000000 --clients 200000 --form "nginx combined" >access.log
//! ```
//!
//! It spans a day, from 2026-11-05T00:00:00Z. `--seed` makes another one, `--proxies` one behind
//! proxies, `--wrapper cri`, `docker` or `syslog` one that has passed through another program.

use std::io::{self, BufWriter, Write};

use anyhow::{Context, Result, bail};
use tollgate::{Micros, Timestamp};
use tollgate_testkit::access_log::{Form, LogWriter, Traffic, Wrapper};

/// What can be said.
struct Arguments {
    form: Form,
    wrapper: Wrapper,
    lines: u64,
    clients: u32,
    seed: u64,
    proxies: bool,
}

fn main() -> Result<()> {
    let asked = read(std::env::args().skip(1))?;
    let traffic = Traffic::new(asked.seed)
        .requests(asked.lines)
        .clients(asked.clients)
        .behind_proxies(asked.proxies)
        .from(Timestamp::from_secs(1_793_836_800))
        .over(Micros::DAY);
    let out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut log = LogWriter::new(asked.form, asked.wrapper, out)?;
    for exchange in traffic {
        log.add(exchange)?;
    }
    let lines = log.finish()?;
    writeln!(io::stderr().lock(), "{lines} lines")?;
    Ok(())
}

fn read(mut arguments: impl Iterator<Item = String>) -> Result<Arguments> {
    let mut asked = Arguments {
        form: Form::NginxCombined,
        wrapper: Wrapper::None,
        lines: 10_000,
        clients: 500,
        seed: 1,
        proxies: false,
    };
    while let Some(argument) = arguments.next() {
        if argument == "--proxies" {
            asked.proxies = true;
            continue;
        }
        let value = arguments
            .next()
            .with_context(|| format!("{argument} lacks a value"))?;
        match argument.as_str() {
            "--form" => asked.form = form(&value)?,
            "--wrapper" => asked.wrapper = wrapper(&value)?,
            "--lines" => asked.lines = value.parse().context("--lines is no number")?,
            "--clients" => asked.clients = value.parse().context("--clients is no number")?,
            "--seed" => asked.seed = value.parse().context("--seed is no number")?,
            _ => bail!(
                "there is no {argument}: there are --form, --wrapper, --lines, --clients, --seed \
                 and --proxies"
            ),
        }
    }
    Ok(asked)
}

fn form(name: &str) -> Result<Form> {
    let known = Form::ALL.into_iter().find(|form| form.name() == name);
    let names = Form::ALL.map(Form::name);
    known.with_context(|| format!("no form is called {name:?}: there are {names:?}"))
}

fn wrapper(name: &str) -> Result<Wrapper> {
    match name {
        "none" => Ok(Wrapper::None),
        "cri" => Ok(Wrapper::Cri),
        "docker" => Ok(Wrapper::Docker),
        "syslog" => Ok(Wrapper::Syslog),
        _ => bail!("no wrapper is called {name:?}: there are none, cri, docker and syslog"),
    }
}
