//! Clients in a text, and the client that a text names. Whatever else is in
//! the text, and what is wrong with it, is told by `document`.

use serde_yaml::Value;

use super::{Client, Clients, is_source};
use crate::definition::check::check;
use crate::definition::document::{Definition, MAX_FILE_BYTES, as_yaml};
use crate::definition::yaml;

impl Clients {
    /// Wherever they stand in it: a source may come before its client.
    pub fn of_text(text: &str) -> Clients {
        let mut clients = Clients::default();
        if !may_name_one(text) {
            return clients;
        }
        let (sound, _) = yaml::sound_documents(text);
        for document in serde_yaml::Deserializer::from_str(text).take(sound) {
            if let Ok((value, findings)) = yaml::unfold(document)
                && value.get("kind").and_then(Value::as_str) == Some("client")
                && let Some(name) = value.get("name").and_then(Value::as_str)
            {
                let client = checked(&value).filter(|_| findings.is_empty());
                clients.insert(name.to_owned(), as_yaml(&value), client);
            }
        }
        clients
    }

    /// As the store has them: the row's name counts.
    pub fn add_row(&mut self, name: String, text: String) {
        let mut found = Clients::of_text(&text).0;
        let client = found.remove(&name).and_then(|known| known.client.clone());
        self.insert(name, text, client);
    }
}

/// The client that a source, the one document of a text, is made from.
pub fn named_in(text: &str) -> Option<String> {
    if !may_name_one(text) {
        return None;
    }
    let document = serde_yaml::Deserializer::from_str(text).next()?;
    let (value, _) = yaml::unfold(document).ok()?;
    let name = value.get("client").filter(|_| is_source(&value))?;
    name.as_str().map(str::to_owned)
}

/// Spares most texts a second reading.
fn may_name_one(text: &str) -> bool {
    text.len() as u64 <= MAX_FILE_BYTES && text.contains("client")
}

fn checked(document: &Value) -> Option<Client> {
    match check(document) {
        Ok(Definition::Client(client)) => Some(client),
        _ => None,
    }
}
