//! The JSON of a line, found in one pass and not copied.
//!
//! More is accepted than JSON allows, where servers write it: `\xHH` in texts, raw control
//! characters, bytes that are not UTF-8, numbers with leading zeros, and `-` or nothing in the place
//! of a value, as hand-written formats leave it when there is none.

use memchr::memchr2;

use super::text::Text;
use crate::log::Reject;

/// How deep objects and lists may be nested.
const DEEPEST: usize = 32;

/// The values of a line, each object and list before what it holds. Kept for the next line, so that
/// lines cost no memory.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    all: Vec<Node>,
    /// The objects and lists that are open, by their index.
    open: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The name, as it is written between its quotes; empty in a list.
    name: Span,
    value: Span,
    kind: Kind,
    /// The index of the value after this one and all that it holds.
    next: u32,
}

/// Bytes of the line, and whether there are escapes among them.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    end: u32,
    escaped: bool,
}

impl Span {
    fn text(self, line: &[u8]) -> Text<'_> {
        let range = index(self.start)..index(self.end);
        Text {
            raw: line.get(range).unwrap_or_default(),
            escaped: self.escaped,
        }
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    /// `true`, `false` or a number.
    Bare,
    Text,
    Object,
    List,
}

/// A value of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'n, 'l> {
    line: &'l [u8],
    nodes: &'n [Node],
    at: usize,
}

impl<'n, 'l> Value<'n, 'l> {
    pub(crate) fn kind(self) -> Kind {
        self.node().map_or(Kind::Null, |node| node.kind)
    }

    /// A text, or the letters of anything else that is no object and no list; none of null.
    pub(crate) fn text(self) -> Option<Text<'l>> {
        let node = self.node()?;
        match node.kind {
            Kind::Bare | Kind::Text => Some(node.value.text(self.line)),
            Kind::Null | Kind::Object | Kind::List => None,
        }
    }

    /// What an object or a list holds, with the names of members.
    pub(crate) fn members(self) -> Members<'n, 'l> {
        let end = self.node().map_or(0, |node| index(node.next));
        Members {
            next: Self {
                at: self.at + 1,
                ..self
            },
            end,
        }
    }

    /// The member of an object with a name: the last one, if there are several.
    pub(crate) fn get(self, name: &str) -> Option<Self> {
        if self.kind() != Kind::Object {
            return None;
        }
        let mut found = None;
        for (member, value) in self.members() {
            if member.is(name) {
                found = Some(value);
            }
        }
        found
    }

    /// The value of a list at an index, from 0.
    pub(crate) fn item(self, at: usize) -> Option<Self> {
        if self.kind() != Kind::List {
            return None;
        }
        self.members().nth(at).map(|(_, value)| value)
    }

    fn node(self) -> Option<&'n Node> {
        self.nodes.get(self.at)
    }
}

/// See [`Value::members`].
#[derive(Debug)]
pub(crate) struct Members<'n, 'l> {
    next: Value<'n, 'l>,
    end: usize,
}

impl<'n, 'l> Iterator for Members<'n, 'l> {
    type Item = (Text<'l>, Value<'n, 'l>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.next.at >= self.end {
            return None;
        }
        let value = self.next;
        let node = value.node()?;
        self.next.at = index(node.next);
        Some((node.name.text(value.line), value))
    }
}

/// Reads a line that is one object.
///
/// # Errors
///
/// [`Reject::Unfinished`] if it ends in the middle, [`Reject::Json`] if it is something else.
pub(crate) fn read<'n, 'l>(line: &'l [u8], nodes: &'n mut Nodes) -> Result<Value<'n, 'l>, Reject> {
    let Nodes { all, open } = nodes;
    all.clear();
    open.clear();
    let mut scan = Scan {
        line,
        at: 0,
        nodes: all,
        open,
    };
    scan.blanks();
    if scan.peek() != Some(b'{') {
        return Err(Reject::Json);
    }
    scan.value(Span::default())?;
    while !scan.open.is_empty() {
        scan.step()?;
    }
    scan.blanks();
    if scan.at < line.len() {
        return Err(Reject::Json);
    }
    Ok(Value {
        line,
        nodes: all,
        at: 0,
    })
}

struct Scan<'n, 'l> {
    line: &'l [u8],
    at: usize,
    nodes: &'n mut Vec<Node>,
    open: &'n mut Vec<u32>,
}

impl Scan<'_, '_> {
    /// Reads the next member of what is open, or its end.
    fn step(&mut self) -> Result<(), Reject> {
        let Some(&within) = self.open.last() else {
            return Ok(());
        };
        let is_object = self
            .nodes
            .get(index(within))
            .is_some_and(|node| node.kind == Kind::Object);
        let is_first = index(within) + 1 == self.nodes.len();
        self.blanks();
        match self.peek().ok_or(Reject::Unfinished)? {
            b'}' if is_object => return self.close(within),
            b']' if !is_object => return self.close(within),
            b',' if !is_first => {
                self.at += 1;
                self.blanks();
            }
            _ if is_first => {}
            _ => return Err(Reject::Json),
        }
        let mut name = Span::default();
        if is_object {
            name = self.text()?;
            self.blanks();
            if self.peek().ok_or(Reject::Unfinished)? != b':' {
                return Err(Reject::Json);
            }
            self.at += 1;
            self.blanks();
        }
        self.value(name)
    }

    fn close(&mut self, within: u32) -> Result<(), Reject> {
        let next = narrow(self.nodes.len())?;
        if let Some(node) = self.nodes.get_mut(index(within)) {
            node.next = next;
        }
        self.open.pop();
        self.at += 1;
        Ok(())
    }

    /// Reads a value; what it holds, if it is an object or a list, comes with the next steps.
    fn value(&mut self, name: Span) -> Result<(), Reject> {
        let (kind, value) = match self.peek().ok_or(Reject::Unfinished)? {
            b'"' => (Kind::Text, self.text()?),
            opening @ (b'{' | b'[') => {
                if self.open.len() == DEEPEST {
                    return Err(Reject::Json);
                }
                self.open.push(narrow(self.nodes.len())?);
                self.at += 1;
                let is_object = opening == b'{';
                let kind = if is_object { Kind::Object } else { Kind::List };
                (kind, Span::default())
            }
            _ => self.bare()?,
        };
        let next = narrow(self.nodes.len() + 1)?;
        self.nodes.push(Node {
            name,
            value,
            kind,
            next,
        });
        Ok(())
    }

    /// Reads from one quote to the other.
    fn text(&mut self) -> Result<Span, Reject> {
        if self.peek().ok_or(Reject::Unfinished)? != b'"' {
            return Err(Reject::Json);
        }
        self.at += 1;
        let start = narrow(self.at)?;
        let mut escaped = false;
        loop {
            let rest = self.line.get(self.at..).unwrap_or_default();
            let found = memchr2(b'"', b'\\', rest).ok_or(Reject::Unfinished)?;
            self.at += found;
            if rest.get(found) == Some(&b'"') {
                let end = narrow(self.at)?;
                self.at += 1;
                return Ok(Span {
                    start,
                    end,
                    escaped,
                });
            }
            escaped = true;
            // What is escaped may be a quote.
            self.at += 2;
        }
    }

    /// Reads a number, a word, or nothing.
    fn bare(&mut self) -> Result<(Kind, Span), Reject> {
        let start = self.at;
        while let Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.') = self.peek() {
            self.at += 1;
        }
        let kind = match self.line.get(start..self.at).unwrap_or_default() {
            b"null" | b"-" | b"" => Kind::Null,
            b"true" | b"false" => Kind::Bare,
            [b'0'..=b'9' | b'-' | b'.', ..] => Kind::Bare,
            _ if self.peek().is_none() => return Err(Reject::Unfinished),
            _ => return Err(Reject::Json),
        };
        let span = Span {
            start: narrow(start)?,
            end: narrow(self.at)?,
            escaped: false,
        };
        Ok((kind, span))
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }
}

fn index(narrow: u32) -> usize {
    usize::try_from(narrow).unwrap_or(usize::MAX)
}

fn narrow(index: usize) -> Result<u32, Reject> {
    u32::try_from(index).map_err(|_| Reject::TooLong)
}

#[cfg(test)]
mod tests;
