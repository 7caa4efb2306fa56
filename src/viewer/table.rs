//! Aligned columns, as wide as the terminal at most. It knows nothing of what
//! they hold.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::Value;

/// `width`: of the terminal; `None` where the output is no terminal, and then
/// nothing is broken over lines.
pub fn render(columns: &[String], rows: &[Vec<Value>], width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(columns);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    for row in rows {
        table.add_row(row.iter().map(cell));
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        // Blanks between columns, none before the first.
        column.set_padding((0, 2));
        if rows.iter().any(|row| row[at].is_number()) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

pub fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    clean(&text)
}

/// Control characters of an answer must not reach a terminal.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Of standard output, where it is a terminal.
pub fn terminal_width() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows() -> (Vec<String>, Vec<Vec<Value>>) {
        let columns = vec!["name".to_owned(), "rows".to_owned(), "error".to_owned()];
        (
            columns,
            vec![
                vec![json!("air"), json!(7), json!(null)],
                vec![json!("b\u{1b}[31m"), json!(12), json!("it broke")],
            ],
        )
    }

    #[test]
    fn columns_are_aligned_and_numbers_stand_right() {
        let (columns, rows) = rows();
        let want = "name    rows  error\nair        7\nb [31m    12  it broke\n";
        assert_eq!(render(&columns, &rows, None), want);
    }

    #[test]
    fn a_table_is_no_wider_than_the_terminal() {
        let (columns, mut rows) = rows();
        rows[0][2] = json!("a long message that has to be broken over several lines");
        let text = render(&columns, &rows, Some(40));
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
        assert!(text.contains("several"), "{text}");
    }
}
