//! Dotted paths into an answer: `author.name`, `geometry.coordinates.0`,
//! `a."b.c"`. A number is a key of an object or an index of a list, whichever
//! it meets.

use std::fmt;

/// Keys from the outside in; empty is the root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Path(pub Vec<String>);

/// Deeper than any API; bounds the recursion of what walks a path.
const MAX_KEYS: usize = 32;

impl Path {
    /// `.` or nothing is the root. `Err` says what is wrong.
    pub fn parse(text: &str) -> Result<Path, String> {
        let mut keys = Vec::new();
        let mut rest = if text == "." { "" } else { text };
        while !rest.is_empty() {
            let (key, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted
                    .split_once('"')
                    .ok_or_else(|| format!("`{text}` has an opening quote without a closing one"))?,
                None => rest.split_at(rest.find('.').unwrap_or(rest.len())),
            };
            if key.is_empty() {
                return Err(format!(
                    "`{text}` has an empty key; write a.b, or \"a.b\" in quotes for a key with a dot"
                ));
            }
            keys.push(key.to_owned());
            rest = match after.strip_prefix('.') {
                Some("") => return Err(format!("`{text}` ends with a dot")),
                Some(more) => more,
                None if after.is_empty() => "",
                None => return Err(format!("`{text}` has text after a closing quote")),
            };
        }
        if keys.len() > MAX_KEYS {
            return Err(format!("`{text}` is deeper than {MAX_KEYS} keys"));
        }
        Ok(Path(keys))
    }

    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() {
            return f.write_str(".");
        }
        for (at, key) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            if key.contains('.') { write!(f, "\"{key}\"")? } else { f.write_str(key)? }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_dotted_and_quotes_hold_dots() {
        for (text, want) in [
            (".", vec![]),
            ("", vec![]),
            ("a", vec!["a"]),
            ("a.b", vec!["a", "b"]),
            ("a.\"b.c\"", vec!["a", "b.c"]),
            ("\"pm2.5\"", vec!["pm2.5"]),
            ("\"Time Series (Daily)\".x", vec!["Time Series (Daily)", "x"]),
            ("Error Message", vec!["Error Message"]),
            ("@Value", vec!["@Value"]),
            ("coordinates.0", vec!["coordinates", "0"]),
        ] {
            let path = Path::parse(text).expect(text);
            assert_eq!(path.0, want, "{text}");
            assert_eq!(Path::parse(&path.to_string()), Ok(path), "{text} read again");
        }
    }

    #[test]
    fn what_is_no_path_says_so() {
        for text in ["a..b", ".a", "a.", "\"a", "\"a\"b", &vec!["a"; 33].join(".")] {
            assert!(Path::parse(text).is_err(), "{text}");
        }
    }
}
