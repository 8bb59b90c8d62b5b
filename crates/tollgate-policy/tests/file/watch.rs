//! A file that changes while it is watched.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use tollgate_policy::Allowance;
use tollgate_policy::file::{Diagnostics, Reload, Watch};

fn text(limit: &str) -> String {
    format!("[[policy]]\nname = \"api\"\nkey = [\"client.ip\"]\nlimits = [\"{limit}\"]\n")
}

/// A file in a directory of its own.
struct Given {
    dir: TempDir,
    path: PathBuf,
}

impl Given {
    fn file(limit: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tollgate.toml");
        fs::write(&path, text(limit)).unwrap();
        Self { dir, path }
    }

    fn open(&self) -> Watch {
        Watch::open(&self.path).unwrap()
    }
}

/// What the watch tells when it may see the file as often as it needs.
fn settle(watch: &mut Watch) -> Option<Result<Reload, Diagnostics>> {
    let first = watch.poll();
    assert!(first.is_none(), "not what was found only once: {first:?}");
    watch.poll()
}

#[track_caller]
fn reloaded(watch: &mut Watch) -> Reload {
    settle(watch).unwrap().unwrap()
}

fn limit(watch: &Watch) -> String {
    match watch.file().policies.policies()[0].allowance() {
        Allowance::Limits(limits) => limits[0].to_string(),
        other => panic!("{other:?}"),
    }
}

fn put(directory: &Path, name: &str, limit: &str) {
    fs::create_dir(directory.join(name)).unwrap();
    fs::write(directory.join(name).join("tollgate.toml"), text(limit)).unwrap();
}

/// As `ln -sfn`, in one step.
fn point(link: &Path, target: &str) {
    let new = link.with_file_name("..data_tmp");
    symlink(target, &new).unwrap();
    fs::rename(new, link).unwrap();
}

#[test]
fn tells_nothing_while_the_file_is_the_same() {
    let given = Given::file("60/min");
    let mut watch = given.open();
    for _ in 0..3 {
        assert!(watch.poll().is_none());
    }
    // Touched, and written anew with the same content.
    let file = fs::File::options().write(true).open(&given.path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1))
        .unwrap();
    assert!(settle(&mut watch).is_none());
    fs::remove_file(&given.path).unwrap();
    fs::write(&given.path, text("60/min")).unwrap();
    assert!(settle(&mut watch).is_none());
    assert_eq!(watch.generation(), 1);
}

#[test]
fn tells_once_of_a_file_that_was_written_over() {
    let given = Given::file("60/min");
    let mut watch = given.open();
    fs::write(&given.path, text("70/min")).unwrap();
    let reload = reloaded(&mut watch);
    assert_eq!(reload.generation, 2);
    assert_eq!(&reload.file, watch.file());
    assert_eq!(limit(&watch), "70/min");
    assert!(watch.poll().is_none() && watch.poll().is_none());
}

#[test]
fn tells_of_a_file_of_the_same_length_and_time() {
    let given = Given::file("60/min");
    let mut watch = given.open();
    let modified = fs::metadata(&given.path).unwrap().modified().unwrap();
    fs::write(&given.path, text("61/min")).unwrap();
    let file = fs::File::options().write(true).open(&given.path).unwrap();
    file.set_modified(modified).unwrap();
    reloaded(&mut watch);
    assert_eq!(limit(&watch), "61/min");
}

#[test]
fn tells_of_a_file_that_an_editor_renames_into_place() {
    let given = Given::file("60/min");
    let mut watch = given.open();
    // The old one goes away first; for a moment there is none.
    fs::rename(&given.path, given.dir.path().join("tollgate.toml~")).unwrap();
    assert!(watch.poll().is_none());
    let new = given.dir.path().join(".tollgate.toml.swp");
    fs::write(&new, text("70/min")).unwrap();
    fs::rename(new, &given.path).unwrap();
    reloaded(&mut watch);
    assert_eq!(limit(&watch), "70/min");
}

// B119
#[test]
fn tells_of_a_volume_of_kubernetes_that_is_swapped() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("..data");
    put(dir.path(), "..2026_01", "60/min");
    symlink("..2026_01", &data).unwrap();
    let path = dir.path().join("tollgate.toml");
    symlink("..data/tollgate.toml", &path).unwrap();

    let mut watch = Watch::open(&path).unwrap();
    put(dir.path(), "..2026_02", "70/min");
    assert!(settle(&mut watch).is_none());
    point(&data, "..2026_02");
    fs::remove_dir_all(dir.path().join("..2026_01")).unwrap();
    reloaded(&mut watch);
    assert_eq!(limit(&watch), "70/min");

    // Another volume with the same content.
    put(dir.path(), "..2026_03", "70/min");
    point(&data, "..2026_03");
    assert!(settle(&mut watch).is_none());
    // And one without the file.
    fs::create_dir(dir.path().join("..2026_04")).unwrap();
    point(&data, "..2026_04");
    assert!(settle(&mut watch).unwrap().is_err());
    point(&data, "..2026_02");
    assert_eq!(reloaded(&mut watch).generation, 3);
}

// B119
#[test]
fn a_file_that_is_being_written_is_not_believed() {
    let given = Given::file("60/min");
    let mut watch = given.open();
    let whole = text("70/min") + &text("80/min").replace("\"api\"", "\"more\"");
    // Some of these are files that could be used, with fewer policies.
    for end in (0..whole.len()).step_by(7) {
        fs::write(&given.path, &whole[..end]).unwrap();
        assert!(watch.poll().is_none(), "{end} bytes");
    }
    fs::write(&given.path, &whole).unwrap();
    assert_eq!(reloaded(&mut watch).file.policies.policies().len(), 2);
}

// B119
#[test]
fn a_file_that_cannot_be_used_is_told_once_and_changes_nothing() {
    let given = Given::file("60/min");
    let mut watch = given.open();
    for broken in [
        "",
        "# nothing but a comment\n",
        "[store]\nurl = \"memory:\"\n",
        "[[policy]]\nname = \"api\"\nkey = [\"cli",
        "[[policy]]\nname = \"api\"\nkey = [\"client.ip\"]\nlimits = [\"0/min\"]\n",
    ] {
        fs::write(&given.path, broken).unwrap();
        let found = settle(&mut watch).unwrap().unwrap_err();
        assert!(found.errors() > 0, "{broken}");
        for _ in 0..3 {
            assert!(watch.poll().is_none(), "{broken}");
        }
        assert_eq!(limit(&watch), "60/min");
        assert_eq!(watch.generation(), 1);
    }
    fs::write(&given.path, b"\xff\xfe").unwrap();
    assert!(settle(&mut watch).unwrap().is_err());
    fs::remove_file(&given.path).unwrap();
    let found = settle(&mut watch).unwrap().unwrap_err().to_string();
    assert!(found.contains("there is no such file"), "{found}");
    assert!(watch.poll().is_none() && watch.poll().is_none());
    assert_eq!(limit(&watch), "60/min");

    // What it was before is news again.
    fs::write(&given.path, text("60/min")).unwrap();
    assert_eq!(reloaded(&mut watch).generation, 2);
}

#[test]
fn whoever_asks_for_it_gets_the_file_as_it_is() {
    let given = Given::file("60/min");
    let mut watch = given.open();
    assert_eq!(watch.reload().unwrap().generation, 2);
    fs::write(&given.path, text("70/min")).unwrap();
    watch.reload().unwrap();
    assert_eq!(limit(&watch), "70/min");
    assert!(watch.poll().is_none(), "told already");
    fs::write(&given.path, "").unwrap();
    assert!(watch.reload().is_err());
    assert!(watch.reload().is_err(), "who asks again is told again");
    assert!(watch.poll().is_none(), "told already");
    assert_eq!(limit(&watch), "70/min");
}

#[test]
fn what_a_running_store_cannot_take_on_is_named() {
    let given = Given::file("60/min");
    let environment = |name: &str| (name == "SECRET").then(|| "correct horse battery".to_owned());
    let write = |store: &str| fs::write(&given.path, format!("{store}\n{}", text("60/min")));
    write("[store]\nurl = \"redis://h\"").unwrap();
    let mut watch = Watch::open_with(&given.path, environment).unwrap();

    write("[store]\nurl = \"redis://:s3cret@i\"\ntimeout = \"50ms\"\nmax_waiting = 7").unwrap();
    let names = ["url", "timeout", "max_waiting"];
    assert_eq!(reloaded(&mut watch).not_applied, names);
    // It is so until the program is started again, however often the file changes.
    write("[store]\nurl = \"redis://i\"\nprefix = \"p\"").unwrap();
    assert_eq!(reloaded(&mut watch).not_applied, ["url", "prefix"]);
    write("[store]\nurl = \"redis://h\"\ndenial_cache = 1\nmax_failures = 1").unwrap();
    let names = ["max_failures", "denial_cache"];
    assert_eq!(reloaded(&mut watch).not_applied, names);
    // Policies bring their secret with them.
    write("[store]\nurl = \"redis://h\"\nhash_secret = \"${SECRET}\"").unwrap();
    assert!(reloaded(&mut watch).not_applied.is_empty());
}

#[test]
fn a_file_that_is_not_there_at_first_is_an_error() {
    let given = Given::file("60/min");
    let found = Watch::open(given.dir.path().join("nothing.toml")).unwrap_err();
    assert!(found.to_string().contains("nothing.toml"), "{found}");
    assert!(Watch::open(given.dir.path()).is_err(), "a directory");
}

#[test]
fn a_pipe_in_its_place_is_told_and_not_waited_for() {
    let file = Given::file("10/min");
    let mut watch = file.open();
    fs::remove_file(&file.path).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(&file.path)
        .status();
    assert!(made.unwrap().success());
    let found = settle(&mut watch).unwrap().unwrap_err();
    assert!(
        found.to_string().contains("it is a pipe or a device"),
        "{found}"
    );
    fs::remove_file(&file.path).unwrap();
    fs::write(&file.path, text("20/min")).unwrap();
    reloaded(&mut watch);
    assert_eq!(limit(&watch), "20/min");
}
