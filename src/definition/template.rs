//! Text with `${…}` in it. Parsed when a document is checked; filled in by the
//! worker as the request is made, so that no secret is ever kept.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    /// `${env:NAME}`
    Env(String),
    /// `${file:PATH}`; a line end at the file's end is not part of the secret.
    File(String),
}

impl Template {
    /// `Err` says what is wrong and what would do.
    pub fn parse(text: &str) -> Result<Template, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            let (inside, more) =
                after.split_once('}').ok_or_else(|| format!("`${{{after}` has no closing `}}`"))?;
            parts.push(placeholder(inside)?);
            rest = more;
        }
        if !rest.is_empty() || parts.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Template { parts })
    }

    /// The whole text, where nothing has to be filled in.
    pub fn as_plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }
}

fn placeholder(inside: &str) -> Result<Part, String> {
    match inside.split_once(':') {
        Some(("env", name)) if is_variable(name) => Ok(Part::Env(name.to_owned())),
        Some(("file", path)) if !path.is_empty() => Ok(Part::File(path.to_owned())),
        _ => Err(format!("`${{{inside}}}` is not known; ${{env:NAME}} and ${{file:PATH}} are")),
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// As it was written, placeholders and all: what people are shown.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Env(name) => write!(f, "${{env:{name}}}")?,
                Part::File(path) => write!(f, "${{file:{path}}}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_shows_itself_as_it_was_written() {
        for text in ["", "plain", "${env:KEY}", "a${env:A}b${file:/run/x}c", "$ {env:A} $"] {
            assert_eq!(Template::parse(text).expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_placeholder_is_refused() {
        for text in ["${", "${env:}", "${env:A B}", "${file:}", "${window}", "${secret:x}", "${env:A"] {
            assert!(Template::parse(text).is_err(), "{text}");
        }
    }
}
