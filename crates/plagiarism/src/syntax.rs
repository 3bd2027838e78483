//! Syntax trees of sources that nobody has looked at, bounded in every way:
//! bytes, bytes read again, work of the parser, nodes, depth. Bounds count steps and not time, so
//! that a source is refused everywhere or nowhere.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser};

use crate::language::{Field, Kind, Language};
use crate::memory;

/// The largest source that is looked at, in bytes.
pub const MAX_BYTES: usize = 512 << 10;
/// Below this depth nothing is told apart; compilers refuse such sources.
const MAX_DEPTH: usize = 300;
const MAX_NODES: usize = 2_000_000;

/// The parser gets a source in pieces of so many bytes. Each piece that it asks
/// for counts, also one that it has had: to look far ahead from every token costs
/// the square of the source, and takes few steps of the parser.
const PIECE: usize = 256;
/// So many times may a source be read, and so many bytes besides. Players are
/// read three times at most.
const READINGS: usize = 32;
const READ_BESIDES: usize = 256 << 10;

/// Why a source is not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("{0} bytes are too many for a source: at most {MAX_BYTES} are compared")]
    TooLong(usize),
    #[error("it has too many parts to be a source of a player")]
    TooManyParts,
    #[error("it is no program: the parser found no way through it")]
    NoWay,
    #[error("it is no program: the parser would have to read it again and again")]
    ReadTooOften,
}

/// A node: its kind, its part in the one above, its bytes, and where the nodes
/// below it end in the list.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub kind: Kind,
    pub field: Field,
    pub parent: u32,
    pub start: u32,
    pub end: u32,
    /// The node after all that is below this one.
    pub next: u32,
}

/// A tree as a list, parents before what is below them.
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
}

/// The next tree takes the room of the last.
impl Drop for Tree {
    fn drop(&mut self) {
        self.nodes.clear();
        NODES.set(std::mem::take(&mut self.nodes));
    }
}

impl Tree {
    /// The nodes directly below one.
    pub fn children(&self, node: usize) -> Children<'_> {
        Children { tree: self, at: node + 1, end: self.nodes[node].next as usize }
    }

    pub fn child(&self, node: usize, field: Field) -> Option<usize> {
        self.children(node).find(|&child| self.nodes[child].field == field)
    }

    pub fn kind(&self, node: usize) -> Kind {
        self.nodes[node].kind
    }
}

pub(crate) struct Children<'a> {
    tree: &'a Tree,
    at: usize,
    end: usize,
}

impl Iterator for Children<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let found = (self.at < self.end).then_some(self.at)?;
        self.at = self.tree.nodes[found].next as usize;
        Some(found)
    }
}

/// The tree of a source, whatever is in it.
pub(crate) fn parse(text: &[u8], language: Language) -> Result<Tree, Refused> {
    if text.len() > MAX_BYTES {
        return Err(Refused::TooLong(text.len()));
    }
    let tables = language.tables();
    let unread = Cell::new(READINGS * text.len() + READ_BESIDES);
    // The parser asks every hundred steps; a usual source takes one step or two
    // for each byte.
    let mut left = 1_000 + text.len() / 8;
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 || unread.get() == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _: tree_sitter::Point| {
        let rest = text.get(at..).unwrap_or_default();
        let piece = &rest[..rest.len().min(PIECE)];
        unread.set(unread.get().saturating_sub(piece.len()));
        // A source that is over is read to its end at once.
        if unread.get() == 0 { &[] } else { piece }
    };
    memory::with_arena(|| {
        let mut parser = Parser::new();
        parser.set_language(&tables.grammar).expect("the grammar is of this version");
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if unread.get() == 0 {
            return Err(Refused::ReadTooOften);
        }
        flatten(&tree.ok_or(Refused::NoWay)?, language)
    })
}

thread_local! {
    static NODES: Cell<Vec<Node>> = const { Cell::new(Vec::new()) };
}

/// Where the comments of a source are; none of one that is refused.
pub(crate) fn comments(text: &[u8], language: Language) -> Vec<(usize, usize)> {
    let Ok(tree) = parse(text, language) else { return Vec::new() };
    let bytes = |node: &Node| (node.start as usize, node.end as usize);
    let is_comment = |&(start, end): &(usize, usize)| {
        let text = &text[start..end];
        text.starts_with(b"//") || text.starts_with(b"/*")
    };
    tree.nodes.iter().filter(|node| node.kind == Kind::Silent).map(bytes).filter(is_comment).collect()
}

fn flatten(parsed: &tree_sitter::Tree, language: Language) -> Result<Tree, Refused> {
    let tables = language.tables();
    let mut tree = Tree { nodes: NODES.take() };
    let nodes = &mut tree.nodes;
    let mut path: Vec<u32> = Vec::new();
    let mut cursor = parsed.walk();
    loop {
        let node = cursor.node();
        if nodes.len() >= MAX_NODES {
            return Err(Refused::TooManyParts);
        }
        let position = |at: usize| u32::try_from(at).expect("sources are short");
        let here = position(nodes.len());
        let id = node.kind_id();
        let (kind, is_sign) = (tables.kind(id), tables.is_sign(id));
        let field = if is_sign { None } else { cursor.field_id() };
        nodes.push(Node {
            kind,
            field: field.map_or(Field::None, |id| tables.field(id.get())),
            parent: path.last().copied().unwrap_or(0),
            start: position(node.start_byte()),
            end: position(node.end_byte()),
            next: here + 1,
        });
        // Nobody looks into these.
        let is_whole = is_sign || matches!(kind, Kind::Silent | Kind::Literal | Kind::Type) || path.len() >= MAX_DEPTH;
        if !is_whole && cursor.goto_first_child() {
            path.push(here);
            continue;
        }
        while !cursor.goto_next_sibling() {
            let Some(parent) = path.pop() else { return Ok(tree) };
            cursor.goto_parent();
            nodes[parent as usize].next = position(nodes.len());
        }
    }
}
