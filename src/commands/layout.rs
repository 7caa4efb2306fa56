//! Text for a terminal of 80 columns: filled lines, names beside what they mean.
//! It knows nothing of commands.

const WIDTH: usize = 80;

pub(super) fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

pub(super) fn section(title: &str, lines: &[(String, String)]) -> String {
    if lines.is_empty() { String::new() } else { format!("\n{title}:\n{}", columns("  ", lines)) }
}

/// Names, and beside them what they mean, broken over lines of their own width.
pub(super) fn columns(indent: &str, lines: &[(String, String)]) -> String {
    let widest = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let at = indent.len() + widest + 2;
    let line = |(name, text): &(String, String)| {
        let text = filled(text, at);
        format!("{indent}{name:widest$}  {}", text.trim_start()).trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}

/// Words in lines of `WIDTH` at most, all of them indented.
pub(super) fn filled(text: &str, indent: usize) -> String {
    within(WIDTH, text, indent)
}

pub(super) fn within(width: usize, text: &str, indent: usize) -> String {
    let mut lines = vec![" ".repeat(indent)];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always one");
        if last.len() > indent && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(format!("{:indent$}{word}", ""));
        } else {
            let gap = if last.len() > indent { " " } else { "" };
            last.push_str(gap);
            last.push_str(word);
        }
    }
    lines.join("\n")
}
