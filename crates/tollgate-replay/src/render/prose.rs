//! Sentences, whose forms differ in how they stress words.

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// As it is.
    Plain(String),
    /// What the sentence is about.
    Strong(String),
    /// A name or a value that somebody else wrote: to be kept apart from the sentence around it.
    Name(String),
}

/// A sentence, or a few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Prose {
    pieces: Vec<Piece>,
}

impl Prose {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self::default().plain(text)
    }

    pub(super) fn plain(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Plain(text.into()));
        self
    }

    pub(super) fn strong(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Strong(text.into()));
        self
    }

    pub(super) fn name(mut self, text: &str) -> Self {
        self.pieces.push(Piece::Name(super::shown::shown(text)));
        self
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Several, one after the other: `a`, `a and b`, `a, b and c`.
    pub(super) fn list(mut self, parts: Vec<Self>) -> Self {
        let last = parts.len().saturating_sub(1);
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                self = self.plain(if index == last { " and " } else { ", " });
            }
            self.pieces.extend(part.pieces);
        }
        self
    }
}
