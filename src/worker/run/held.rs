//! Rows of whole pages, held until several pages are one transaction: each
//! commit writes every page of the index that it touches anew. Plain data;
//! nothing here knows the store or the web.

use std::borrow::Cow;

use crate::store::page::PageEnd;
use crate::store::value::Value;
use crate::worker::record_key::RecordKey;

/// With so much, it is time to store.
const MOST_ROWS: usize = 4_096;
const MOST_CELLS: usize = 1 << 16;
const MOST_TEXT: usize = 1 << 20;

/// A small page can be large in rows: a value from outside the records is in each
/// of them, and what a record lacks is a cell too. Beyond this, nothing is held.
const NO_ROOM: usize = 2;

#[derive(Debug, Default)]
pub(in crate::worker) struct Held {
    keys: Vec<RecordKey>,
    /// Of all rows, one after the other.
    cells: Vec<Cell>,
    /// Cells in a row.
    width: usize,
    texts: String,
    pages: Vec<HeldPage>,
}

#[derive(Debug)]
struct HeldPage {
    /// The number of rows that end with this page.
    rows: usize,
    end: PageEnd,
}

#[derive(Debug, Clone, Copy)]
enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    /// Its length; it begins where the text before it ends.
    Text(usize),
}

impl Held {
    /// False where there is no room: its page is to be dropped, and stored in another way.
    pub(super) fn push(&mut self, key: &RecordKey, values: &[Value<'_>]) -> bool {
        if self.keys.len() >= NO_ROOM * MOST_ROWS || self.cells.len() + values.len() > NO_ROOM * MOST_CELLS {
            return false;
        }
        self.width = values.len();
        self.keys.push(*key);
        for value in values {
            self.cells.push(match value {
                Value::Null => Cell::Null,
                Value::Integer(number) => Cell::Integer(*number),
                Value::Real(number) => Cell::Real(*number),
                Value::Text(text) if self.texts.len() + text.len() > NO_ROOM * MOST_TEXT => return false,
                Value::Text(text) => {
                    self.texts.push_str(text);
                    Cell::Text(text.len())
                }
            });
        }
        true
    }

    pub(super) fn end_page(&mut self, end: PageEnd) {
        self.pages.push(HeldPage { rows: self.keys.len(), end });
    }

    /// What the pages so far lead to, before any is stored.
    pub(super) fn last(&self) -> Option<&PageEnd> {
        self.pages.last().map(|page| &page.end)
    }

    pub(super) fn is_full(&self) -> bool {
        self.keys.len() >= MOST_ROWS || self.cells.len() >= MOST_CELLS || self.texts.len() >= MOST_TEXT
    }

    /// Of all rows, in their order.
    pub(super) fn keys(&self) -> &[RecordKey] {
        &self.keys
    }

    /// Hands on every row that is not known, with its number, from 0.
    pub(super) fn each_row<E>(
        &self,
        known: &[bool],
        mut take: impl FnMut(usize, &RecordKey, &[Value<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut texts = self.texts.as_str();
        let mut values = Vec::with_capacity(self.width);
        for (row, key) in self.keys.iter().enumerate() {
            values.clear();
            for cell in &self.cells[row * self.width..][..self.width] {
                values.push(value(*cell, &mut texts));
            }
            if !known[row] {
                take(row, key, &values)?;
            }
        }
        Ok(())
    }

    /// The page that a row is of: its place here, its number in the run, and the
    /// row's number in it.
    pub(super) fn place_of(&self, row: usize) -> (usize, u32, u64) {
        let page = self.pages.partition_point(|page| page.rows <= row);
        let number = self.pages[page].end.progress.pages;
        (page, number, (row - self.rows_before(page) + 1) as u64)
    }

    /// Forgets the rows of a page that did not come to its end.
    pub(super) fn drop_open_page(&mut self) {
        self.keep_pages(self.pages.len());
    }

    /// Forgets all but the first pages.
    pub(super) fn keep_pages(&mut self, pages: usize) {
        let rows = self.rows_before(pages);
        self.pages.truncate(pages);
        self.keys.truncate(rows);
        self.cells.truncate(rows * self.width);
        let length = |cell: &Cell| if let Cell::Text(length) = cell { *length } else { 0 };
        self.texts.truncate(self.cells.iter().map(length).sum());
    }

    fn rows_before(&self, page: usize) -> usize {
        page.checked_sub(1).map_or(0, |before| self.pages[before].rows)
    }
}

fn value<'a>(cell: Cell, texts: &mut &'a str) -> Value<'a> {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => Value::Integer(number),
        Cell::Real(number) => Value::Real(number),
        Cell::Text(length) => {
            let (text, rest) = texts.split_at(length);
            *texts = rest;
            Value::Text(Cow::Borrowed(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fetchlogs::Progress;

    fn text(text: &str) -> Value<'_> {
        Value::Text(text.into())
    }

    fn end(pages: u32) -> PageEnd {
        PageEnd { progress: Progress { pages, ..Progress::default() }, completed: None }
    }

    fn rows(held: &Held) -> Vec<(u8, Vec<Value<'static>>)> {
        let mut rows = Vec::new();
        let all = held.each_row(&vec![false; held.keys().len()], |row, key, values| {
            assert_eq!(row, rows.len());
            rows.push((key[0], values.iter().cloned().map(Value::into_owned).collect()));
            Ok::<_, ()>(())
        });
        all.expect("nothing fails");
        rows
    }

    fn two_pages() -> Held {
        let mut held = Held::default();
        held.push(&[1; 16], &[text("é"), Value::Null]);
        held.push(&[2; 16], &[Value::Integer(-1), text("")]);
        held.end_page(end(1));
        held.end_page(end(2));
        held.push(&[3; 16], &[Value::Real(0.5), text("xyz")]);
        held.end_page(end(3));
        held
    }

    #[test]
    fn rows_come_back_as_they_were_given() {
        let want = vec![
            (1, vec![text("é"), Value::Null]),
            (2, vec![Value::Integer(-1), text("")]),
            (3, vec![Value::Real(0.5), text("xyz")]),
        ];
        assert_eq!(rows(&two_pages()), want);
    }

    #[test]
    fn rows_that_are_known_are_passed_over_and_the_others_stay_as_they_are() {
        let mut rows = Vec::new();
        let all = two_pages().each_row(&[true, false, true], |row, key, values| {
            rows.push((row, key[0], values.iter().cloned().map(Value::into_owned).collect::<Vec<_>>()));
            Ok::<_, ()>(())
        });
        assert_eq!((all, rows), (Ok(()), vec![(1, 2, vec![Value::Integer(-1), text("")])]));
    }

    #[test]
    fn a_row_has_a_place_in_its_page() {
        let held = two_pages();
        assert_eq!([0, 1, 2].map(|row| held.place_of(row)), [(0, 1, 1), (0, 1, 2), (2, 3, 1)]);
    }

    #[test]
    fn there_is_an_end_to_what_is_held() {
        let (long, cells) = ("x".repeat(MOST_TEXT), vec![Value::Null; MOST_CELLS]);
        for row in [vec![text(&long)], cells] {
            let mut held = Held::default();
            assert!(held.push(&[1; 16], &row) && held.is_full(), "time to store");
            assert!(held.push(&[2; 16], &row), "the rest of its page");
            held.end_page(end(1));
            assert!(!held.push(&[3; 16], &row), "no room");
            assert!(held.texts.len() <= NO_ROOM * MOST_TEXT, "nor is it taken");
            held.drop_open_page();
            assert_eq!(rows(&held).len(), 2);
        }
    }

    #[test]
    fn a_page_that_is_dropped_leaves_those_before_it() {
        let mut held = two_pages();
        let before = rows(&held);
        held.push(&[4; 16], &[text("half"), text("a page")]);
        held.drop_open_page();
        assert_eq!(rows(&held), before);
        held.keep_pages(2);
        assert_eq!(rows(&held), before[..2]);
        assert_eq!(held.last(), Some(&end(2)));
        held.push(&[5; 16], &[text("on"), text("it goes")]);
        assert_eq!(rows(&held)[2], (5, vec![text("on"), text("it goes")]));
        held.keep_pages(0);
        assert!(rows(&held).is_empty() && held.last().is_none() && held.texts.is_empty());
    }
}
