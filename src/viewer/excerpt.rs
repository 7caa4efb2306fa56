//! A line of a file with a place in it, for people: as wide as there is room,
//! with nothing that a terminal would obey. It knows nothing of files.

use unicode_width::UnicodeWidthChar;

use crate::definition::problem::turns_text_round;

#[derive(Debug, PartialEq, Eq)]
pub struct Excerpt {
    pub text: String,
    /// Blanks before the caret.
    pub indent: usize,
}

const TAB: usize = 4;
const CUT: &str = "…";

/// Of the line with this number of a text, at this column (of characters; both
/// from 1), in at most this width. `None` where there is nothing to see.
pub fn excerpt(text: &str, line: usize, column: usize, most: usize) -> Option<Excerpt> {
    let line = nth_line(text, line)?.trim_end();
    if line.is_empty() {
        return None;
    }
    let cells = cells(line);
    let at = (column.max(1) - 1).min(cells.len());
    let (from, to) = window(&cells, at, most);
    let cut = |is_cut| if is_cut { CUT } else { "" };
    let (before, after) = (cut(from > 0), cut(to < cells.len()));
    let text = format!("{before}{}{after}", joined(&cells[from..to]));
    let indent = cells[from..at].iter().map(|cell| cell.width).sum::<usize>();
    Some(Excerpt { text, indent: before.chars().count() + indent })
}

/// The cells to show: all where there is room, else the place in the middle,
/// but for the ends of the line.
fn window(cells: &[Cell], at: usize, most: usize) -> (usize, usize) {
    // A character without a width is one all the same: a line may be full of them.
    let cost = |cell: &Cell| cell.width.max(1);
    let total = |cells: &[Cell]| cells.iter().map(cost).sum::<usize>();
    if total(cells) < most {
        return (0, cells.len());
    }
    let room = most.saturating_sub(2).max(1);
    let before = (room / 2).max(room.saturating_sub(total(&cells[at..])));
    let from = at - fitting(cells[..at].iter().rev().map(cost), before);
    (from, from + fitting(cells[from..].iter().map(cost), room))
}

/// How many of them fit.
fn fitting(costs: impl Iterator<Item = usize>, room: usize) -> usize {
    let sums = costs.scan(0, |sum, cost| {
        *sum += cost;
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= room).count()
}

/// What counts as a line end for the YAML parser.
fn nth_line(text: &str, line: usize) -> Option<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text;
    for _ in 1..line {
        let end = rest.find(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])?;
        let after = &rest[end..];
        let length = if after.starts_with("\r\n") { 2 } else { after.chars().next()?.len_utf8() };
        rest = &after[length..];
    }
    rest.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).next()
}

struct Cell {
    text: char,
    repeat: usize,
    width: usize,
}

/// One for each character of the line.
fn cells(line: &str) -> Vec<Cell> {
    let mut column = 0;
    let mut cells = Vec::new();
    for c in line.chars() {
        let cell = match c {
            '\t' => {
                let width = TAB - column % TAB;
                Cell { text: ' ', repeat: width, width }
            }
            c if c.is_control() || turns_text_round(c) => Cell { text: '\u{fffd}', repeat: 1, width: 1 },
            c => Cell { text: c, repeat: 1, width: c.width().unwrap_or(0) },
        };
        column += cell.width;
        cells.push(cell);
    }
    cells
}

fn joined(cells: &[Cell]) -> String {
    cells.iter().flat_map(|cell| std::iter::repeat_n(cell.text, cell.repeat)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_place() {
        let text = "name: a\r\n\tx: y\nname: 天気 x\nname: e\u{301} x\nesc: \u{1b}[31m\u{202e}x\n\n  \nend";
        for (why, line, column, want) in [
            ("a plain line", 1, 7, Some(("name: a", 6))),
            ("a tab is as wide as it is shown", 2, 2, Some(("    x: y", 4))),
            ("wide characters are two columns", 3, 10, Some(("name: 天気 x", 11))),
            ("combining ones are none", 4, 10, Some(("name: e\u{301} x", 8))),
            ("what a terminal obeys is not shown", 5, 6, Some(("esc: \u{fffd}[31m\u{fffd}x", 5))),
            ("an empty line", 6, 1, None),
            ("a blank line", 7, 1, None),
            ("past the end of a line is its end", 8, 9, Some(("end", 3))),
            ("past the end of the text", 9, 1, None),
        ] {
            let want = want.map(|(text, indent)| Excerpt { text: text.to_owned(), indent });
            assert_eq!(excerpt(text, line, column, 40), want, "{why}");
        }
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line: String = ('a'..='z').chain('A'..='Z').collect();
        for (why, column, want, indent) in [
            ("at the begin", 1, "abcdefgh…", 0),
            ("in the middle", 27, "…wxyzABCD…", 5),
            ("at the end", 52, "…STUVWXYZ", 8),
            ("past the end", 53, "…STUVWXYZ", 9),
        ] {
            let found = excerpt(&line, 1, column, 10).expect("a line");
            assert_eq!((found.text.as_str(), found.indent), (want, indent), "{why}");
        }
        let wide = "天".repeat(100_000);
        let found = excerpt(&wide, 1, 50_000, 20).expect("a line");
        assert_eq!((found.text.as_str(), found.indent), ("…天天天天天天天天天…", 9));
    }
}
