//! Policies and their settings in a file.
//!
//! ```
//! use tollgate_policy::file::PolicyFile;
//!
//! let text = r#"
//! [store]
//! url = "${STORE:-memory:}"
//!
//! [[policy]]
//! name = "auth"
//! match = { path = "/auth/**" }
//! key = ["client.ip"]
//! limits = ["10/min fixed-window"]
//! "#;
//! let nothing = |_: &str| None;
//! let file = PolicyFile::parse("tollgate.toml", text, &nothing)?;
//! assert_eq!(file.policies.policies().len(), 1);
//!
//! let wrong = text.replace("10/min", "10/minn");
//! let errors = PolicyFile::parse("tollgate.toml", &wrong, &nothing).unwrap_err();
//! assert!(errors.to_string().contains("tollgate.toml:9:15"));
//! # Ok::<(), tollgate_policy::file::Diagnostics>(())
//! ```
//!
//! # Ideas
//!
//! * **All errors at once**, each with line, column, what is wrong and what to write instead
//!   ([`Diagnostics`]). What can be used but is probably a mistake is a warning.
//! * **A value and nothing else.** Parsing asks nobody, starts nothing, and takes the environment
//!   as an argument. Which store, which clients, which fields of responses: those are settings for
//!   the crates that know them.
//! * **A file may change.** [`Watch`] knows when it has, and whether what it has become can be used.
//! * **One list of fields** is what the parser checks by, and what [`schema`] and [`reference()`] are
//!   written from.
//!
//! # Guarantees
//!
//! * No text makes it panic.
//! * Passwords and secrets are in no error and no `Debug`.
//! * A file without policies, such as one that is just being written, is an error.

mod check;
mod contents;
mod diagnostic;
mod document;
mod duration;
mod environment;
mod field;
mod fields;
mod invisible;
mod read;
mod reference;
mod render;
mod report;
mod schema;
mod secrets;
mod settings;
mod source;
mod suggestion;
mod syntax;
mod text;
mod url;
mod warnings;
mod watch;
mod written;

pub use diagnostic::{Diagnostic, Diagnostics, Related, Severity};
pub use environment::{Environment, ProcessEnvironment};
pub use invisible::is_invisible;
pub use reference::reference;
pub use schema::schema;
pub use settings::{ResetUnit, ResponseSettings, Secret, StoreSettings};
pub use source::{Position, Source};
pub use suggestion::nearest;
pub use url::{StoreKind, StoreUrl};
pub use watch::{Reload, Watch};

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeTable;

use crate::{AttributeName, ClientIdentity, PolicySet};
use check::Fields;
use contents::Unreadable;
use document::{Node, Table};
use field::TableShape;
use report::Report;
use secrets::Secrets;
use syntax::Broken;
use written::Written;

/// What a policy file says, checked.
///
/// Two of them are equal if the same is in force, whatever comments, order of fields or warnings
/// they have: a reload that changes nothing can be told by it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PolicyFile {
    /// Where counts live.
    pub store: StoreSettings,
    /// Who the client is.
    pub client: ClientIdentity,
    /// What responses say.
    pub response: ResponseSettings,
    /// The policies. They hash secrets in keys with the secret of [`store`](Self::store).
    pub policies: PolicySet,
    /// What is probably a mistake.
    pub warnings: Diagnostics,
    written: Written,
    /// Where the store's URL stands.
    url: Range<usize>,
}

impl PolicyFile {
    /// Reads a file, with the environment of the process.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, warnings among them; also if it cannot be read, is larger than
    /// 4 MiB or is not UTF-8.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Diagnostics> {
        let path = path.as_ref();
        Self::of_bytes(path, contents::of_file(path), &ProcessEnvironment)
    }

    /// Reads what a file held, or why that could not be read.
    fn of_bytes(
        path: &Path,
        bytes: Result<Vec<u8>, Unreadable>,
        environment: &dyn Environment,
    ) -> Result<Self, Diagnostics> {
        let name = path.display().to_string();
        Self::of_text(&name, bytes.and_then(contents::into_text), environment)
    }

    /// Reads from an open file or from standard input, with the environment of the process. `name`
    /// stands for it in errors.
    ///
    /// # Errors
    ///
    /// As of [`read`](Self::read).
    pub fn from_reader(name: &str, reader: impl io::Read) -> Result<Self, Diagnostics> {
        let text = contents::of_reader(reader).and_then(contents::into_text);
        Self::of_text(name, text, &ProcessEnvironment)
    }

    /// What is in a text that was read, or could not be.
    fn of_text(
        name: &str,
        text: Result<String, Unreadable>,
        environment: &dyn Environment,
    ) -> Result<Self, Diagnostics> {
        match text {
            Ok(text) => Self::parse(name, &text, environment),
            Err(unreadable) => {
                let mut report = Report::default();
                report
                    .error(0..0, format!("the file cannot be read: {}", unreadable.why))
                    .help(unreadable.help);
                let source = Arc::new(Source::unread(name));
                Err(Diagnostics::new(source, report.into_list()))
            }
        }
    }

    /// Reads a text. `name` stands for it in errors; variables are looked up in `environment`.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, warnings among them.
    pub fn parse(
        name: &str,
        text: &str,
        environment: &dyn Environment,
    ) -> Result<Self, Diagnostics> {
        let (root, errors) = DeTable::parse_recoverable(text);
        let secrets = Secrets::of(text, root.get_ref(), errors.is_empty());
        let source = Arc::new(Source::new(name, text, &secrets));
        let mut report = Report::without(&secrets);
        let broken = syntax::report(&source, root.get_ref(), errors, &mut report);
        let is_toml = report.errors() == 0;

        let mut understood = Report::without(&secrets);
        let table = Table::of(root.get_ref(), text, environment, &mut understood);
        let read = read_tables(&table, &mut understood);
        let written = understood.take_written();
        let has_errors = !is_toml || understood.errors() > 0;
        let mut not_kept = report.not_kept();
        let mut list = report.into_list();
        if is_toml {
            not_kept.add(understood.not_kept());
            list.extend(understood.into_list());
        } else {
            let found = understood.into_found();
            list.extend(found.filter(|found| broken.leaves(&source, found)));
        }
        let found = Diagnostics::new(source, list).and_more(not_kept);
        match read {
            Some((store, url, client, response, policies)) if !has_errors => Ok(Self {
                store,
                url,
                client,
                response,
                policies,
                warnings: found,
                written,
            }),
            _ => Err(found),
        }
    }

    /// What is wrong with a file whose store cannot be made, which only the crate of that store
    /// knows: an error where the URL stands, and the warnings. `problem` says what is wrong and,
    /// after the first `; `, what to do. It is told as it is, so it must hold no secret.
    #[must_use]
    pub fn without_store(&self, problem: &str) -> Diagnostics {
        self.warnings.with(Diagnostic::of_words(
            Severity::Error,
            self.url.clone(),
            problem,
        ))
    }

    /// What may be shown of a value that `match`, `except` or `when` has for an attribute: `${NAME}`
    /// in place of what the environment says, and the value itself if it stands in the file.
    #[must_use]
    pub fn as_written<'a>(&'a self, attribute: &AttributeName, value: &'a str) -> &'a str {
        self.written.of(attribute, value).unwrap_or(value)
    }
}

impl PartialEq for PolicyFile {
    fn eq(&self, other: &Self) -> bool {
        self.store == other.store
            && self.client == other.client
            && self.response == other.response
            && self.policies.policies() == other.policies.policies()
    }
}

impl Eq for PolicyFile {}

impl Broken {
    /// Whether a diagnostic can be believed of a file that is not TOML: it stands before what is
    /// never closed, and on no line of an error.
    fn leaves(&self, source: &Source, found: &Diagnostic) -> bool {
        let is_before = self.from.is_none_or(|from| found.span.start < from);
        is_before && !self.lines.contains(&source.line_number(found.span.start))
    }
}

type Read = (
    StoreSettings,
    Range<usize>,
    ClientIdentity,
    ResponseSettings,
    PolicySet,
);

/// Reads the tables of a file; all of them, also after one that is wrong.
fn read_tables(table: &Table, report: &mut Report) -> Option<Read> {
    let file = Fields::check(table, 0..0, &fields::FILE, report);
    let nothing = Table::default();
    let store = inner(&file, "store", &fields::STORE, &nothing, report);
    let url = match store.text("url") {
        Some(url) => url.span(),
        None => store.span_of("url"),
    };
    let store = read::store(&store, report);
    let client = read::client(
        &inner(&file, "client", &fields::CLIENT, &nothing, report),
        report,
    );
    let response = inner(&file, "response", &fields::RESPONSE, &nothing, report);
    let response = read::response(&response, report);
    let can_fail = store.url.kind() != StoreKind::Memory;
    let policies = read::policies(file.node("policy")?, can_fail, report);
    let policies = PolicySet::new(policies).ok()?;
    let policies = match &store.hash_secret {
        Some(secret) => policies.with_hash_secret(secret.expose().as_bytes()),
        None => policies,
    };
    Some((store, url, client, response, policies))
}

fn inner<'n>(
    file: &Fields<'n>,
    name: &str,
    shape: &'static TableShape,
    nothing: &'n Table,
    report: &mut Report,
) -> Fields<'n> {
    let table = file.node(name).and_then(Node::table).unwrap_or(nothing);
    Fields::check(table, file.span_of(name), shape, report)
}
