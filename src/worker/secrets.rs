//! Fills in `${env:…}` and `${file:…}` as a request is made, and remembers what
//! it filled in, so that no message shows it. Kept in memory for one run;
//! nothing here writes or logs a value.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use serde_json::{Map, Value};

use super::mask::Needles;
use super::moments::Moments;
use crate::definition::Template;
use crate::definition::template::Part;

/// Far more than any key or certificate needs.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// How an environment variable is looked up: passed in, since a test cannot
/// set one safely while others run.
pub type Lookup = fn(&str) -> Option<String>;

pub struct Secrets {
    lookup: Lookup,
    needles: Needles,
    /// Of the job; none where a request is not for one.
    moments: Option<Moments>,
    /// What wants them, for people: a file's name.
    document: String,
}

impl Default for Secrets {
    fn default() -> Secrets {
        Secrets::new(|name| std::env::var(name).ok())
    }
}

impl Secrets {
    pub fn new(lookup: Lookup) -> Secrets {
        Secrets { lookup, needles: Needles::default(), moments: None, document: String::new() }
    }

    /// From here on, templates may name the times of a job. They are no secrets.
    pub fn set_moments(&mut self, moments: Moments) {
        self.moments = Some(moments);
    }

    /// Of the source: what cannot be filled in is mended there.
    pub fn set_document(&mut self, document: String) {
        self.document = document;
    }

    /// A problem of what the source asks for, with the document that asks.
    pub(super) fn naming_document(&self, problem: &str) -> String {
        if self.document.is_empty() { problem.to_owned() } else { format!("{problem} ({})", self.document) }
    }

    /// `Err` names the variable or the file and what to do, never a value.
    pub fn fill(&mut self, template: &Template) -> Result<String, String> {
        let mut filled = String::new();
        for part in &template.parts {
            match part {
                Part::Text(text) => filled.push_str(text),
                Part::Env(name) => filled.push_str(&self.secret(self.variable(name)?)),
                Part::File(path) => filled.push_str(&self.secret(file(path)?)),
                Part::Time { moment, format } => {
                    let moments = self.moments.as_ref().ok_or("there is no job to take a time from")?;
                    filled.push_str(&moments.text(*moment, format.as_deref())?);
                }
            }
        }
        Ok(filled)
    }

    /// The text values of a JSON body; its keys are taken as they are.
    pub fn fill_json(&mut self, value: &Value) -> Result<Value, String> {
        Ok(match value {
            Value::String(text) => Value::String(self.fill(&Template::parse(text)?)?),
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.fill_json(item)).collect::<Result<_, _>>()?)
            }
            Value::Object(members) => {
                let mut filled = Map::new();
                for (key, member) in members {
                    filled.insert(key.clone(), self.fill_json(member)?);
                }
                Value::Object(filled)
            }
            plain => plain.clone(),
        })
    }

    /// For what is made of a secret or got for one: a token, a basic-auth header.
    pub fn remember(&mut self, secret: &str) {
        self.needles.add(secret);
    }

    /// To be called before a text is shortened: half a secret is not recognised.
    pub fn mask(&self, text: &str) -> String {
        self.needles.mask(text)
    }

    pub fn appear_in(&self, text: &str) -> bool {
        self.mask(text) != text
    }

    fn secret(&mut self, value: String) -> String {
        self.remember(&value);
        value
    }

    fn variable(&self, name: &str) -> Result<String, String> {
        (self.lookup)(name).filter(|value| !value.trim().is_empty()).ok_or_else(|| {
            format!(
                "the environment variable {name} is not set or empty; set it for the hermes process and start it again"
            )
        })
    }
}

fn file(path: &str) -> Result<String, String> {
    let text = read(path).map_err(|error| {
        format!("the secret file {path} cannot be read ({error}); check its path and its permissions")
    })?;
    let value = text.trim_end_matches(['\r', '\n']);
    if value.trim().is_empty() {
        return Err(format!("the secret file {path} is empty; write the secret into it"));
    }
    Ok(value.to_owned())
}

fn read(path: &str) -> io::Result<String> {
    // A pipe or a device could keep the worker waiting for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(io::Error::other("larger than 64 KiB"));
    }
    Ok(text)
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        Secrets::new(|name| match name {
            "KEY" => Some("k3y/value".to_owned()),
            "EMPTY" => Some(" ".to_owned()),
            _ => None,
        })
    }

    fn filled(secrets: &mut Secrets, text: &str) -> Result<String, String> {
        secrets.fill(&Template::parse(text).expect(text))
    }

    fn temporary(name: &str, text: &[u8]) -> String {
        let path = std::env::temp_dir().join(format!("hermes-secret-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file in the temporary folder");
        path.to_str().expect("a temporary folder with a plain name").to_owned()
    }

    #[test]
    fn only_what_came_from_a_placeholder_is_masked() {
        let mut secrets = secrets();
        assert_eq!(filled(&mut secrets, "Token ${env:KEY}").as_deref(), Ok("Token k3y/value"));
        assert_eq!(secrets.mask("Token k3y/value, k3y%2Fvalue"), "Token ***, ***");
        assert!(secrets.appear_in("https://a.example/?k=k3y%2fvalue"));
        assert!(!secrets.appear_in("https://a.example/?k=Token"));
        assert_eq!(format!("{secrets:?}"), "Secrets(***)");
    }

    #[test]
    fn a_missing_or_empty_variable_is_named() {
        for name in ["MISSING", "EMPTY"] {
            let error = filled(&mut secrets(), &format!("${{env:{name}}}")).expect_err(name);
            assert!(error.contains(name) && error.contains("set it"), "{error}");
        }
    }

    #[test]
    fn a_file_gives_its_text_without_the_line_end() {
        let path = temporary("good", b"from a file\r\n");
        let mut secrets = secrets();
        assert_eq!(filled(&mut secrets, &format!("${{file:{path}}}")).as_deref(), Ok("from a file"));
        assert_eq!(secrets.mask("from+a+file"), "***");
        std::fs::remove_file(path).expect("the file was written");
    }

    #[test]
    fn a_file_that_is_no_secret_is_refused_by_name() {
        for (name, text) in
            [("empty", vec![b'\n']), ("large", vec![b'x'; 70_000]), ("bytes", vec![0xff, 0xfe])]
        {
            let path = temporary(name, &text);
            let error = filled(&mut secrets(), &format!("${{file:{path}}}")).expect_err(name);
            assert!(error.contains(&path), "{error}");
            std::fs::remove_file(path).expect("the file was written");
        }
        let error = filled(&mut secrets(), "${file:/no/such/file}").expect_err("no file");
        assert!(error.contains("/no/such/file"), "{error}");
        assert!(filled(&mut secrets(), "${file:/}").is_err(), "a folder");
    }

    #[test]
    fn the_texts_of_a_body_are_filled_and_the_rest_is_kept() {
        let body = serde_json::json!({"a": ["${env:KEY}", 1, null], "${env:KEY}": {"b": "x${env:KEY}"}});
        let want = serde_json::json!({"a": ["k3y/value", 1, null], "${env:KEY}": {"b": "xk3y/value"}});
        let mut secrets = secrets();
        assert_eq!(secrets.fill_json(&body), Ok(want));
        assert!(secrets.fill_json(&serde_json::json!("${env:MISSING}")).is_err());
        assert_eq!(secrets.mask(r"k3y\/value"), "***");
    }
}
