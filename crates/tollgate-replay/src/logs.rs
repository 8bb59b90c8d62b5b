//! The requests of logs, in order of time.

mod reader;
mod taking;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use tollgate::{Micros, Timestamp};
use tollgate_policy::{AttributeName, ClientIdentity, NoAddress, PolicySet};

use crate::batch::View;
use crate::client::Clients;
use crate::instant::seconds;
use crate::log::{Input, ReadOptions};
use crate::order::Order;
use crate::report::InputReport;
use crate::wanted::Wanted;
use crate::{Progress, ReplayError, Request, Requests};
use reader::Reader;

/// Requests that the buffer holds unless said otherwise.
pub(crate) const BUFFER: usize = 500_000;
/// Batches that wait for being put in order.
const BATCHES: usize = 4;

/// The requests of logs, in order of time, which can be gone through again: files are read anew each
/// time, and standard input is kept in an unnamed temporary file.
///
/// ```
/// use tollgate_policy::AttributeName;
/// use tollgate_replay::log::Input;
/// use tollgate_replay::{LogRequests, Requests};
///
/// let line = r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET /a HTTP/1.1" 200 5 "-" "-""#;
/// let input = Input::Text { name: "a text".into(), bytes: line.into() };
/// let mut requests = LogRequests::new(vec![input], [AttributeName::Path]);
/// let mut paths = Vec::new();
/// requests.for_each(&mut |request| paths.push(request.attributes[0].1.clone()))?;
/// assert_eq!(paths, ["/a"]);
/// assert_eq!(requests.input().lines, 1);
/// # Ok::<(), tollgate_replay::ReplayError>(())
/// ```
#[derive(Debug)]
pub struct LogRequests {
    logs: Logs,
    progress: Arc<Progress>,
    found: Found,
    /// True if what can be read only once was kept, or need not be.
    is_kept: bool,
}

impl LogRequests {
    /// The requests of some logs, each with those of some attributes that it has.
    #[must_use]
    pub fn new(inputs: Vec<Input>, attributes: impl IntoIterator<Item = AttributeName>) -> Self {
        Self {
            logs: Logs::new(inputs, Wanted::new(attributes)),
            progress: Arc::default(),
            found: Found::default(),
            is_kept: false,
        }
    }

    /// The requests of some logs, with the attributes that policies look at that are not off.
    #[must_use]
    pub fn for_policies(inputs: Vec<Input>, policies: &PolicySet) -> Self {
        Self::new(inputs, Wanted::by(policies).names().iter().cloned())
    }

    /// How clients are found. Default: nobody is trusted.
    #[must_use]
    pub fn identity(mut self, identity: ClientIdentity) -> Self {
        self.logs.clients = Clients::new(identity);
        self
    }

    /// How logs are read.
    #[must_use]
    pub fn read_options(mut self, options: ReadOptions) -> Self {
        self.logs.options = options;
        self
    }

    /// How many requests are held to be put in order; 500,000 unless said otherwise. One takes about
    /// 100 bytes and its attributes.
    #[must_use]
    pub const fn buffer(mut self, requests: usize) -> Self {
        self.logs.buffer = requests;
        self
    }

    /// Where each pass tells how far it has come, and is told to stop.
    #[must_use]
    pub fn progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// These are gone through once: nothing is kept of what can be read only once.
    #[must_use]
    pub const fn once(mut self) -> Self {
        self.is_kept = true;
        self
    }

    /// What was read in the last pass.
    #[must_use]
    pub const fn input(&self) -> &InputReport {
        &self.found.input
    }

    /// False if the last pass was stopped before its end.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.found.is_complete
    }

    /// The name of the host that a client's address stands for, if it stands for one: such clients
    /// have addresses in `100::/8` that were made of the name. Ask with the address as a key has it,
    /// as a network: `100:…::/64`.
    #[must_use]
    pub fn name_of(&self, network: &str) -> Option<String> {
        self.logs.clients.name_of(network)
    }
}

impl Requests for LogRequests {
    type Error = ReplayError;

    /// Late requests are given as if they had begun when the one before did.
    fn for_each(&mut self, each: &mut dyn FnMut(&Request)) -> Result<(), ReplayError> {
        if !self.is_kept {
            self.logs.keep(&self.progress).map_err(ReplayError::open)?;
            self.is_kept = true;
        }
        let mut request = Request {
            at: Timestamp::EPOCH,
            duration: None,
            status: None,
            client: Err(NoAddress::PeerUnknown),
            attributes: Vec::new(),
        };
        let progress = Arc::clone(&self.progress);
        let found = self.logs.for_each(&progress, |at, view| {
            request.at = Timestamp::from_micros(at);
            request.duration = view.entry.duration();
            request.status = view.entry.status();
            request.client = view.entry.client;
            fill(&mut request.attributes, &view);
            each(&request);
        });
        self.found = found?;
        Ok(())
    }
}

/// Fills in what a request has, in the places of what the one before had.
fn fill(attributes: &mut Vec<(AttributeName, String)>, view: &View<'_>) {
    let mut count = 0;
    for (name, value) in view.values() {
        let Some(value) = value else {
            continue;
        };
        match attributes.get_mut(count) {
            Some((known, text)) => {
                if known != name {
                    known.clone_from(name);
                }
                text.clear();
                text.push_str(value);
            }
            None => attributes.push((name.clone(), value.to_owned())),
        }
        count += 1;
    }
    attributes.truncate(count);
}

/// Logs to be read.
#[derive(Debug)]
pub(crate) struct Logs {
    pub(crate) inputs: Vec<Input>,
    pub(crate) options: ReadOptions,
    pub(crate) clients: Clients,
    pub(crate) wanted: Wanted,
    pub(crate) buffer: usize,
}

/// What was found in logs.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) input: InputReport,
    /// For each attribute that is wanted, whether any request has it.
    pub(crate) seen: Vec<bool>,
    pub(crate) is_complete: bool,
}

impl Logs {
    pub(crate) fn new(inputs: Vec<Input>, wanted: Wanted) -> Self {
        Self {
            inputs,
            options: ReadOptions::default(),
            clients: Clients::new(ClientIdentity::default()),
            wanted,
            buffer: BUFFER,
        }
    }

    /// Gives each request in order of time, with the instant to decide it at.
    pub(crate) fn for_each(
        &mut self,
        progress: &Progress,
        mut each: impl FnMut(u64, View<'_>),
    ) -> Result<Found, ReplayError> {
        if self.inputs.is_empty() {
            return Err(ReplayError::no_input());
        }
        progress.begin();
        self.clients.begin();
        let mut order = Order::new(self.wanted.clone(), self.buffer, self.inputs.len());
        let mut reader = Reader::new(self, progress).map_err(ReplayError::open)?;
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(BATCHES);
            let reading = scope.spawn(move || {
                reader.run(&sender);
                reader.found()
            });
            let mut decided = 0;
            let mut each = |at: u64, view: View<'_>| {
                each(at, view);
                decided += 1;
                if decided % 4_096 == 0 {
                    progress.decided(4_096);
                }
            };
            for (batch, floor) in receiver {
                order.push(batch, floor, &mut each);
            }
            order.finish(&mut each);
            progress.decided(decided % 4_096);
            let found = reading.join();
            let mut found = found.unwrap_or_else(|panic| resume_unwind(panic));
            found.input.late = order.late();
            found.input.latest_by = seconds(order.latest_by());
            Ok(found)
        })
    }

    /// Keeps what can be read only once, so that it can be read again; no more of it when told to stop.
    fn keep(&mut self, progress: &Progress) -> io::Result<()> {
        for input in &mut self.inputs {
            let once: Box<dyn Read + Send> = match input {
                Input::StandardInput => Box::new(io::stdin()),
                Input::File(path)
                    if path
                        .metadata()
                        .is_ok_and(|file| !file.is_file() && !file.is_dir()) =>
                {
                    Box::new(File::open(path)?)
                }
                _ => continue,
            };
            let mut file = tempfile::tempfile()?;
            copy(&mut progress.reader(once)?, &mut file, progress)?;
            file.seek(SeekFrom::Start(0))?;
            *input = Input::Opened {
                name: input.name(),
                file: Arc::new(file),
            };
        }
        Ok(())
    }
}

/// Copies all there is, or less when told to stop.
fn copy(from: &mut impl Read, to: &mut File, progress: &Progress) -> io::Result<()> {
    const AT_A_TIME: u64 = 1 << 20;
    while !progress.is_stopped() {
        match io::copy(&mut from.by_ref().take(AT_A_TIME), to) {
            Ok(0) => break,
            Err(_) if progress.is_stopped() => break,
            copied => copied?,
        };
    }
    Ok(())
}

/// The coarsest of some resolutions, in seconds.
pub(crate) fn resolution(coarsest: Micros) -> f64 {
    seconds(coarsest.as_micros())
}
