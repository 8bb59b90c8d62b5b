//! `tollgate man`: the manual.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Command, CommandFactory};

use crate::arguments::{Arguments, Man};
use crate::output;

pub(crate) fn run(arguments: &Man) -> anyhow::Result<ExitCode> {
    let command = Arguments::command();
    match &arguments.directory {
        Some(directory) => write_pages(command, directory)?,
        None => output::print(one_page(command)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A page for the command and one for each of its commands.
fn write_pages(command: Command, directory: &Path) -> anyhow::Result<()> {
    clap_mangen::generate_to(command, directory)
        .with_context(|| format!("cannot write to {}", directory.display()))
}

/// Everything on one page: the command, then its commands one after the other.
fn one_page(mut command: Command) -> anyhow::Result<String> {
    // So that commands know how they are called in full.
    command.build();
    let page = clap_mangen::Man::new(command.clone());
    let mut text = written(|output| {
        page.render_title(output)?;
        page.render_name_section(output)?;
        page.render_synopsis_section(output)?;
        page.render_description_section(output)?;
        page.render_options_section(output)
    })?;
    for command in command.get_subcommands() {
        let page = clap_mangen::Man::new(command.clone());
        let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
        let sections = written(|output| {
            page.render_synopsis_section(output)?;
            page.render_description_section(output)?;
            page.render_options_section(output)
        })?;
        text.push_str(&format!(".SH \"{}\"\n", name.to_uppercase()));
        // Sections of the command are parts of its section.
        text.push_str(&sections.replace("\n.SH ", "\n.SS "));
    }
    let version = clap_mangen::Man::new(command);
    text.push_str(&written(|output| version.render_version_section(output))?);
    Ok(text)
}

fn written(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> anyhow::Result<String> {
    let mut output = Vec::new();
    write(&mut output)?;
    Ok(String::from_utf8(output)?)
}
