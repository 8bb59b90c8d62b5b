//! Logs for two readers.

use std::fs::File;
use std::io::{self, Read, stdin};
use std::sync::Arc;

use tempfile::NamedTempFile;
use tollgate_replay::Progress;
use tollgate_replay::log::Input;

/// So much is copied at a time, in bytes.
const AT_A_TIME: u64 = 1 << 20;

/// The same logs for each of two readers: what can be read only once is kept in a temporary file, no
/// more of it when told to stop.
pub(crate) fn twice(inputs: Vec<Input>, progress: &Progress) -> io::Result<[Vec<Input>; 2]> {
    let mut both = [Vec::new(), Vec::new()];
    for input in inputs {
        let copies = match once(&input)? {
            Some(reader) => kept(&input.name(), progress.reader(reader)?, progress)?,
            None => [input.clone(), input],
        };
        for (inputs, copy) in both.iter_mut().zip(copies) {
            inputs.push(copy);
        }
    }
    Ok(both)
}

/// What reads a log that can be read only once.
fn once(input: &Input) -> io::Result<Option<Box<dyn Read + Send>>> {
    Ok(match input {
        Input::StandardInput => Some(Box::new(stdin())),
        Input::File(path) if path.metadata().is_ok_and(|file| !file.is_file()) => {
            Some(Box::new(File::open(path)?))
        }
        _ => None,
    })
}

/// A copy of a log, open twice: each reader has its own place in it. It goes with them.
fn kept(name: &str, mut reader: impl Read, progress: &Progress) -> io::Result<[Input; 2]> {
    let mut file = NamedTempFile::new()?;
    while !progress.is_stopped() {
        match io::copy(&mut reader.by_ref().take(AT_A_TIME), &mut file) {
            Ok(0) => break,
            Err(_) if progress.is_stopped() => break,
            copied => copied?,
        };
    }
    let opened = || -> io::Result<Input> {
        Ok(Input::Opened {
            name: name.to_owned(),
            file: Arc::new(file.reopen()?),
        })
    };
    Ok([opened()?, opened()?])
}
