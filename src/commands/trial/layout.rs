//! How much of a table there is room for: each row is a line, long values are
//! cut, and columns that would say nothing any more are left out. Pure.

use serde_json::Value;

use crate::viewer::amount::cut;
use crate::viewer::table::{cell, render};

/// Where nothing else bounds a value.
const WIDEST: usize = 60;

/// Narrower, a column says nothing.
const NARROWEST: usize = 6;

/// Between two columns.
const GAP: usize = 2;

/// `heads` may be of several lines. Also gives the number of columns left out.
pub(super) fn table(heads: &[String], rows: &[Vec<Value>], width: Option<u16>) -> (String, usize) {
    let width = width.map_or(usize::MAX, usize::from);
    let widths: Vec<usize> = (0..heads.len()).map(|at| natural(&heads[at], rows, at)).collect();
    let kept = (1..=heads.len()).rev().find(|kept| total(&widths[..*kept], NARROWEST) <= width).unwrap_or(1);
    let fits = |cap: &usize| total(&widths[..kept], *cap) <= width;
    let cap = (NARROWEST..=WIDEST).rev().find(fits).unwrap_or(NARROWEST);
    let head = |head: &String| head.lines().map(|line| cut(line, cap)).collect::<Vec<_>>().join("\n");
    let heads_cut: Vec<String> = heads[..kept].iter().map(head).collect();
    let shorten = |value: &Value| match cell(value) {
        text if text.chars().count() > cap => Value::String(cut(&text, cap)),
        _ => value.clone(),
    };
    let rows: Vec<Vec<Value>> = rows.iter().map(|row| row[..kept].iter().map(shorten).collect()).collect();
    let width = u16::try_from(width).ok();
    (render(&heads_cut, &rows, width), heads.len() - kept)
}

fn natural(head: &str, rows: &[Vec<Value>], at: usize) -> usize {
    let heads = head.lines().map(|line| line.chars().count());
    heads.chain(rows.iter().map(|row| cell(&row[at]).chars().count())).max().unwrap_or(0)
}

fn total(widths: &[usize], cap: usize) -> usize {
    widths.iter().map(|width| width.min(&cap) + GAP).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_values_are_cut_until_all_columns_fit() {
        let heads: Vec<String> = ["id\ninteger", "title\ntext", "url\ntext"].map(String::from).into();
        let rows = vec![vec![json!(1), json!("x".repeat(80)), json!("https://a.example/a/long/way")]];
        let lines = |width| {
            let (text, left_out) = table(&heads, &rows, width);
            (text.lines().map(str::to_owned).collect::<Vec<_>>(), left_out)
        };
        let (wide, left_out) = lines(None);
        assert_eq!((wide.len(), left_out), (3, 0));
        assert_eq!(wide[2], format!("      1  {}…  https://a.example/a/long/way", "x".repeat(59)));
        let (narrow, left_out) = lines(Some(40));
        assert_eq!(
            (narrow, left_out),
            (
                vec![
                    "     id  title          url".to_owned(),
                    "integer  text           text".to_owned(),
                    "      1  xxxxxxxxxxxx…  https://a.ex…".to_owned(),
                ],
                0
            )
        );
        let (least, left_out) = lines(Some(17));
        assert_eq!((least[2].as_str(), left_out), ("     1  xxxxx…", 1));
    }
}
