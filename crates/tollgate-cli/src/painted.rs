//! Diagnostics in colours.

use tollgate_policy::file::Diagnostics;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[34m";
const OFF: &str = "\x1b[0m";

/// Diagnostics as they are printed; in colours if somebody looks.
pub(crate) fn diagnostics(found: &Diagnostics, is_coloured: bool) -> String {
    let text = found.to_string();
    if is_coloured { paint(&text) } else { text }
}

/// Paints words of severity, what stands in the margin, and marks.
fn paint(text: &str) -> String {
    let mut painted = String::new();
    let mut severity = RED;
    for line in text.lines() {
        let words = [("error:", RED), ("warning:", YELLOW)];
        let word = words.iter().find(|(word, _)| line.starts_with(word));
        if let Some((word, colour)) = word {
            severity = colour;
            let rest = line.strip_prefix(word).unwrap_or("");
            painted.push_str(&format!("{colour}{word}{OFF}{rest}\n"));
            continue;
        }
        match margin(line) {
            Some((margin, rest)) if is_mark(rest) => {
                painted.push_str(&format!("{BLUE}{margin}{severity}{rest}{OFF}\n"));
            }
            Some((margin, rest)) => painted.push_str(&format!("{BLUE}{margin}{OFF}{rest}\n")),
            None => {
                painted.push_str(line);
                painted.push('\n');
            }
        }
    }
    painted
}

/// What stands left of a line of the file, and the rest.
fn margin(line: &str) -> Option<(&str, &str)> {
    let blank = line.len()
        - line
            .trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit())
            .len();
    let rest = line.get(blank..)?;
    let sign = ["|", "-->", "= help:"]
        .into_iter()
        .find(|sign| rest.starts_with(sign))?;
    line.split_at_checked(blank + sign.len())
}

fn is_mark(rest: &str) -> bool {
    rest.trim_start().starts_with('^')
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_policy::file::PolicyFile;

    #[test]
    fn colours_add_nothing_but_colours() {
        let text = "[[policy]]\nname = \"api\"\nkey = \"header.x\"\nlimit = [\"60/min\"]\n";
        let found = PolicyFile::parse("a.toml", text, &|_: &str| None).unwrap_err();
        let plain = diagnostics(&found, false);
        let painted = diagnostics(&found, true);
        assert_eq!(plain, found.to_string());
        assert!(
            painted.contains("\x1b[1;31merror:\x1b[0m `limit` is not"),
            "{painted}"
        );
        assert!(painted.contains("\x1b[1;31m ^^^^^\x1b[0m"), "{painted}");
        let stripped = [RED, YELLOW, BLUE, OFF]
            .iter()
            .fold(painted, |text, code| text.replace(code, ""));
        assert_eq!(stripped, plain);
    }
}
