//! The log that is read: made anew, and deleted afterwards.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;
use tollgate::{Micros, Timestamp};
use tollgate_testkit::access_log::{Form, LogWriter, Traffic, Wrapper};

/// A log of nginx, as it writes it unless told otherwise, of one day.
#[derive(Debug)]
pub(super) struct AccessLog {
    path: PathBuf,
    _folder: TempDir,
}

impl AccessLog {
    /// Writes it beside what cargo builds: 175 bytes a line.
    pub(super) fn make(lines: u64, clients: u32) -> Result<Self> {
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp");
        fs::create_dir_all(&target).context("making target/tmp")?;
        let folder = tempfile::tempdir_in(&target).context("making a folder for a log")?;
        let path = folder.path().join("access.log");
        let file = File::create(&path).context("making a log")?;
        // Those that are no requests are skipped by goaccess, and counted by nobody.
        let traffic = Traffic::new(1)
            .requests(lines)
            .clients(clients)
            .malformed(false)
            .from(Timestamp::from_secs(1_793_836_800))
            .over(Micros::DAY);
        let out = BufWriter::with_capacity(1 << 20, file);
        let mut log = LogWriter::new(Form::NginxCombined, Wrapper::None, out)?;
        for exchange in traffic {
            log.add(exchange)
                .context("writing a log: is the disk full?")?;
        }
        log.finish().context("writing a log: is the disk full?")?;
        Ok(Self {
            path,
            _folder: folder,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
