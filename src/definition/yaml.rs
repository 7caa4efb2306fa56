//! Text to YAML values, within bounds: what a hostile or broken text may cost
//! is decided here. Keeps out what the values mean.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_yaml::{Mapping, Value};

use super::place::{self, Place};
use super::problem::{At, FieldPath, Finding, MAX_PROBLEMS, Step};

/// The values and characters that a document may unfold to. A text within the
/// file limit stays below it without aliases; a few aliases of aliases do not.
const MAX_UNFOLDED: usize = 2 << 20;
const TOO_MANY_ALIASES: &str = "its aliases (`*name`) unfold to more than 2 MiB";

/// Brackets open at once, counted by character wherever they stand. The
/// parser's time grows with the square of this depth.
const MAX_OPEN: usize = 200;

/// The documents before the first break in the syntax, and where that is.
/// After it the parser has lost its way, so nothing beyond it is read.
pub(super) fn sound_documents(text: &str) -> (usize, Option<(Place, String)>) {
    if let Some(broken) = control_character(text).or_else(|| too_deep(text)) {
        return (0, Some(broken));
    }
    for (count, document) in serde_yaml::Deserializer::from_str(text).enumerate() {
        if let Err(error) = serde::Deserialize::deserialize(document).map(|_: IgnoredAny| ()) {
            return (count, Some((place::of_error(&error).unwrap_or((1, 1)), plain(&error))));
        }
    }
    (usize::MAX, None)
}

/// The parser knows of these only a count of bytes; people want a line.
fn control_character(text: &str) -> Option<(Place, String)> {
    let allowed = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{85}');
    let (index, found) = text.char_indices().find(|(_, c)| !allowed(*c))?;
    let code = u32::from(found);
    let message = format!("U+{code:04X} is a control character, which YAML does not allow");
    Some((place_at(text, index), message))
}

fn too_deep(text: &str) -> Option<(Place, String)> {
    let mut open = 0_usize;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > MAX_OPEN {
            let message = format!("more than {MAX_OPEN} brackets are open here; close them");
            return Some((place_at(text, index), message));
        }
    }
    None
}

fn place_at(text: &str, index: usize) -> Place {
    let before = &text[..index];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The parser's words without the place, which a problem has already.
fn plain(error: &serde_yaml::Error) -> String {
    let text = error.to_string();
    if text.starts_with("repetition limit") {
        return TOO_MANY_ALIASES.to_owned();
    }
    let words = text.split(" at line ").next().unwrap_or(&text);
    format!("this is no YAML: {words}")
}

/// One document as a value; keys that stand twice are findings, the first
/// counts. `Err` is what ends the reading of this document.
pub(super) fn unfold(
    document: serde_yaml::Deserializer<'_>,
) -> Result<(Value, Vec<Finding>), (Option<Place>, String)> {
    let mut state = State { left: MAX_UNFOLDED, path: Vec::new(), twice: Vec::new(), refusal: None };
    match (Unfold { state: &mut state }).deserialize(document) {
        Ok(value) => Ok((value, state.twice)),
        Err(error) => Err((place::of_error(&error), state.refusal.unwrap_or_else(|| plain(&error)))),
    }
}

struct State {
    left: usize,
    /// Of the value that is being read: one path for all, as copies of a long
    /// one would cost more than the text.
    path: Vec<Step>,
    twice: Vec<Finding>,
    /// The message of the error that is on its way out, free of the parser's additions.
    refusal: Option<String>,
}

impl State {
    fn spend<E: Error>(&mut self, cost: usize) -> Result<(), E> {
        match self.left.checked_sub(cost) {
            Some(left) => self.left = left,
            None => return Err(self.refuse(TOO_MANY_ALIASES)),
        }
        Ok(())
    }

    fn note_twice(&mut self) {
        if let (Some(Step::Key(key)), true) = (self.path.last(), self.twice.len() < MAX_PROBLEMS) {
            let message = format!("`{key}` is given twice");
            self.twice.push(Finding { path: FieldPath(self.path.clone()), at: At::SecondKey, message });
        }
    }

    fn refuse<E: Error>(&mut self, message: &str) -> E {
        self.refusal = Some(message.to_owned());
        E::custom(message)
    }
}

struct Unfold<'a> {
    state: &'a mut State,
}

impl<'de> DeserializeSeed<'de> for Unfold<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unfold<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON has as well")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.state.spend(1).map(|()| Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.state.spend(1).map(|()| Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.state.spend(1).map(|()| Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        if !value.is_finite() {
            return Err(self.state.refuse("JSON has no such number; put it in quotes if it is text"));
        }
        self.state.spend(1).map(|()| Value::Number(value.into()))
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<Value, E> {
        Err(self.state.refuse("this number has more than 64 bits; put it in quotes"))
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<Value, E> {
        Err(self.state.refuse("this number has more than 64 bits; put it in quotes"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.state.spend(1 + value.len()).map(|()| Value::String(value.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.state.spend(1).map(|()| Value::Null)
    }

    /// A text without any document.
    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Value, A::Error> {
        Err(self.state.refuse("a tag (`!name`) has no meaning here; leave it out"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        self.state.spend(1)?;
        let mut items = Vec::new();
        loop {
            self.state.path.push(Step::Item(items.len()));
            let item = seq.next_element_seed(Unfold { state: self.state })?;
            self.state.path.pop();
            match item {
                Some(value) => items.push(value),
                None => return Ok(Value::Sequence(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        self.state.spend(1)?;
        let mut entries = Mapping::new();
        while let Some(key) = map.next_key_seed(Key { state: self.state })? {
            self.state.path.push(Step::Key(key.clone()));
            let value = map.next_value_seed(Unfold { state: self.state })?;
            if entries.contains_key(key.as_str()) {
                self.state.note_twice();
            } else {
                entries.insert(Value::String(key), value);
            }
            self.state.path.pop();
        }
        Ok(Value::Mapping(entries))
    }
}

/// A key as text, as it is written: `200: ok` has the key "200".
struct Key<'a> {
    state: &'a mut State,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is a word")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        self.state.spend(1 + key.len()).map(|()| key.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn refusal(text: &str) -> String {
        let document = serde_yaml::Deserializer::from_str(text).next().expect("a document");
        unfold(document).expect_err("a refusal").1
    }

    #[test]
    fn alias_bombs_are_refused_quickly() {
        let laughs = (1..12).fold("a0: &a0 [x, x]\n".to_owned(), |text, at| {
            let before = format!("*a{}, ", at - 1).repeat(10);
            text + &format!("a{at}: &a{at} [{before}]\n")
        });
        let wide = format!("a: &a [{}]\nb: [{}]\n", "x, ".repeat(30_000), "*a, ".repeat(30_000));
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(500_000), "*a, ".repeat(1_000));
        for (why, text) in [("aliases of aliases", laughs), ("a wide list", wide), ("a long text", long)] {
            let start = Instant::now();
            assert_eq!(refusal(&text), "its aliases (`*name`) unfold to more than 2 MiB", "{why}");
            assert!(start.elapsed() < Duration::from_secs(20), "{why}: {:?}", start.elapsed());
        }
    }

    #[test]
    fn an_alias_within_itself_is_refused() {
        assert_eq!(refusal("a: &a [*a]\n"), "this is no YAML: recursion limit exceeded");
    }

    #[test]
    fn a_text_at_the_file_limit_without_aliases_unfolds() {
        for text in ["{a}, ".repeat(200_000), "x, ".repeat(340_000)] {
            let text = format!("[{text}]");
            let document = serde_yaml::Deserializer::from_str(&text).next().expect("a document");
            assert!(unfold(document).is_ok());
        }
    }
}
