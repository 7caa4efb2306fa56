//! Text with `${…}` in it. Parsed when a document is checked; filled in by the
//! worker as the request is made, so that no secret is ever kept.

use std::fmt;

use jiff::Timestamp;
use jiff::fmt::strtime;

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
    /// `${slot}`, `${window.from|%Y-%m-%d}`
    Time {
        moment: Moment,
        format: Option<String>,
    },
}

/// A time of the job that the request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Slot,
    WindowFrom,
    WindowTo,
    /// The newest value of the `incremental` field that a completed run stored.
    Since,
}

const MOMENTS: [(&str, Moment); 4] = [
    ("slot", Moment::Slot),
    ("window.from", Moment::WindowFrom),
    ("window.to", Moment::WindowTo),
    ("since", Moment::Since),
];

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

    pub fn uses(&self, moment: Moment) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Time { moment: used, .. } if *used == moment))
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
    let (word, format) = inside.split_once('|').map_or((inside, None), |(word, format)| (word, Some(format)));
    if let Some((_, moment)) = MOMENTS.iter().find(|(name, _)| *name == word) {
        let format = format.map(check_format).transpose()?;
        return Ok(Part::Time { moment: *moment, format });
    }
    match inside.split_once(':') {
        Some(("env", name)) if is_variable(name) => Ok(Part::Env(name.to_owned())),
        Some(("file", path)) if !path.is_empty() => Ok(Part::File(path.to_owned())),
        _ => Err(format!(
            "`${{{inside}}}` is not known; ${{env:NAME}}, ${{file:PATH}}, ${{slot}}, ${{window.from}}, \
             ${{window.to}} and ${{since}} are, the last four with a format such as ${{slot|%Y-%m-%d}}"
        )),
    }
}

fn check_format(format: &str) -> Result<String, String> {
    match strtime::format(format, Timestamp::UNIX_EPOCH) {
        Ok(text) if !format.is_empty() && text != format => Ok(format.to_owned()),
        _ => Err(format!("`{format}` is no format of a time; %Y-%m-%d is")),
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
                Part::Time { moment, format } => {
                    let named = MOMENTS.iter().find(|(_, known)| known == moment);
                    let name = named.expect("every moment has a name").0;
                    let format = format.as_ref().map(|format| format!("|{format}")).unwrap_or_default();
                    write!(f, "${{{name}{format}}}")?
                }
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
        for text in [
            "",
            "plain",
            "${env:KEY}",
            "a${env:A}b${file:/run/x}c",
            "$ {env:A} $",
            "${slot}",
            "${window.from|%Y-%m-%d}&${window.to|%s}",
            "${since}",
        ] {
            assert_eq!(Template::parse(text).expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_placeholder_is_refused() {
        for text in [
            "${",
            "${env:}",
            "${env:A B}",
            "${file:}",
            "${window}",
            "${secret:x}",
            "${env:A",
            "${slot|}",
            "${slot|day}",
            "${slot|%!}",
            "${since:x}",
        ] {
            assert!(Template::parse(text).is_err(), "{text}");
        }
    }
}
