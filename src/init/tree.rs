//! An answer as a tree that keeps the order of its keys: the fields of the
//! document follow it. Only for one answer at a time; a run reads without one.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Boolean(bool),
    Integer(i64),
    Real(f64),
    /// An integer that no column can hold.
    Huge,
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Map(members) => members.iter().find(|(known, _)| known == key).map(|(_, value)| value),
            Json::List(items) => items.get(key.parse::<usize>().ok()?),
            _ => None,
        }
    }

    pub(super) fn at<'k>(&self, path: impl IntoIterator<Item = &'k String>) -> Option<&Json> {
        path.into_iter().try_fold(self, |value, key| value.get(key))
    }

    pub(super) fn members(&self) -> &[(String, Json)] {
        if let Json::Map(members) = self { members } else { &[] }
    }

    pub(super) fn items(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn integer(&self) -> Option<i64> {
        if let Json::Integer(number) = self { Some(*number) } else { None }
    }

    pub(super) fn is_map(&self) -> bool {
        matches!(self, Json::Map(_))
    }

    pub(super) fn is_scalar(&self) -> bool {
        !matches!(self, Json::Map(_) | Json::List(_))
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(answer: D) -> Result<Json, D::Error> {
        answer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(i64::try_from(value).map_or(Json::Huge, Json::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Real(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Json::Map(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order() {
        let tree: Json = serde_json::from_str(r#"{"b":1,"a":[1.5,"x",null,true],"c":18446744073709551615}"#)
            .expect("JSON");
        let keys: Vec<&str> = tree.members().iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["b", "a", "c"]);
        assert_eq!(tree.at(&["a".to_owned(), "1".to_owned()]), Some(&Json::Text("x".into())));
        assert_eq!(tree.get("c"), Some(&Json::Huge));
    }
}
