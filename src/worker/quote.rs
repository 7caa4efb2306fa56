//! Foreign text on its way into a message: short, on one line. Keeps out what
//! the message is about.

/// Enough to recognise a value by; a message must not become a copy of the answer.
const MAX_QUOTED_CHARS: usize = 60;

/// In backquotes, at most 60 characters, without control characters.
pub fn quote(text: &str) -> String {
    format!("`{}`", shorten(text, MAX_QUOTED_CHARS))
}

/// At most `max` characters, the last one an ellipsis where something is left
/// out; control characters become blanks, so that it stays one line.
pub fn shorten(text: &str, max: usize) -> String {
    let text = text.trim();
    let is_short = text.chars().nth(max).is_none();
    let kept = if is_short { max } else { max - 1 };
    let mut short: String = text.chars().take(kept).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if !is_short {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_on_one_line() {
        for (why, text, want) in [
            ("as it is", "abc", "`abc`".to_owned()),
            ("blanks around it say nothing", " abc\n", "`abc`".to_owned()),
            ("one line", "a\r\nb\0c", "`a  b c`".to_owned()),
            ("sixty fit", &"é".repeat(60), format!("`{}`", "é".repeat(60))),
            ("more do not", &"é".repeat(61), format!("`{}…`", "é".repeat(59))),
        ] {
            assert_eq!(quote(text), want, "{why}");
        }
    }
}
