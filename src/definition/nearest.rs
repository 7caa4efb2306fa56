//! Which of the known words a misspelt one was meant to be: a key, a kind, a
//! name. Keeps out how that is said.

use super::name::MAX_NAME;

/// The known word that was probably meant: the same but for case and
/// underscores, or a slip or two away.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer ones are no slip, and their distance costs time to find.
    if word.len() > MAX_NAME {
        return None;
    }
    let plain = squeeze(word);
    let distances = candidates.into_iter().map(|known| (distance(&plain, &squeeze(known)), known));
    let (slips, best) = distances.min_by_key(|(slips, _)| *slips)?;
    let allowed = if plain.len() < 5 { 1 } else { 2 };
    (slips <= allowed && slips < plain.len()).then_some(best)
}

fn squeeze(word: &str) -> Vec<char> {
    word.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

/// Edits from one word to the other; two neighbours that changed places are one.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut rows = vec![(0..=to.len()).collect::<Vec<_>>()];
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let change = rows[i][j] + usize::from(a != b);
            let mut best = change.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_word_that_was_meant() {
        let known = ["name", "url", "maxRetries", "timeout", "dataPath", "retention"];
        for (word, want) in [
            ("nmae", Some("name")),
            ("max_retries", Some("maxRetries")),
            ("datapath", Some("dataPath")),
            ("timeuot", Some("timeout")),
            ("retenton", Some("retention")),
            ("ulr", Some("url")),
            ("colour", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), want, "{word}");
        }
    }
}
