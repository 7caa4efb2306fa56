//! Columns that two sources write values of different types into: the rows could
//! not be compared. What has no type is kept as it comes, and is in nobody's way.

use std::collections::HashMap;

use super::{Found, Severity};
use crate::definition::document::Definition;
use crate::definition::problem::FieldPath;
use crate::definition::{Document, FieldType};

struct First<'a> {
    word: &'static str,
    source: &'a str,
    file: usize,
    line: usize,
}

/// The first one decides. SQLite ignores the case of names.
pub(super) fn columns<'a>(files: &[(&str, &'a [Document])]) -> Vec<Found<'a>> {
    let mut columns: HashMap<(String, String), First<'_>> = HashMap::new();
    let mut found = Vec::new();
    for (file, document) in
        files.iter().enumerate().flat_map(|(at, (_, all))| all.iter().map(move |d| (at, d)))
    {
        let Definition::Source(source) = &document.definition else { continue };
        for (index, field) in source.response.fields.iter().enumerate() {
            let Some(word) = field.kind.as_ref().map(FieldType::word) else { continue };
            let column = (source.table.to_ascii_lowercase(), field.target.to_ascii_lowercase());
            let own = First { word, source: &source.name, file, line: document.line };
            let first = columns.entry(column).or_insert(own);
            if first.word != word {
                let message = format!(
                    "`{}` of the table `{}` is {word} here and {} in `{}` ({}:{}); one column has one type",
                    field.target, source.table, first.word, first.source, files[first.file].0, first.line
                );
                let field = FieldPath::default().key("response").key("fields").item(index).key("type");
                found.push(Found { file, document, field, severity: Severity::Problem, message });
            }
        }
    }
    found
}
