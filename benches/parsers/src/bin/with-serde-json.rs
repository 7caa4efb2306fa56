//! serde_json. Ways: str, slice (values as they are parsed), raw-str (as
//! Hermes: text first), skip (nothing wanted: the least that a page costs).

use std::borrow::Cow;
use std::marker::PhantomData;

use parsers::{Page, Parser, Sink, mapping, run};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny};
use serde_json::value::RawValue;

struct SerdeJson;

impl Parser for SerdeJson {
    fn raw<'de, D: Deserializer<'de>>(value: D) -> Result<Cow<'de, str>, D::Error> {
        <&RawValue>::deserialize(value).map(|raw| Cow::Borrowed(raw.get()))
    }

    fn unescape(raw: &str) -> String {
        serde_json::from_str(raw).expect("JSON")
    }
}

fn main() {
    run(|way, page: &[u8], sink: &mut Sink<'_>| {
        let record = &mapping(way == "raw-str");
        let seed = Page { record, sink, parser: PhantomData::<SerdeJson> };
        // Checked once for the page, as Hermes does.
        let text = |page| std::str::from_utf8(page).expect("UTF-8");
        match way {
            "slice" => seed.deserialize(&mut serde_json::Deserializer::from_slice(page)),
            "str" | "raw-str" => seed.deserialize(&mut serde_json::Deserializer::from_str(text(page))),
            "skip" => serde_json::from_str::<IgnoredAny>(text(page)).map(drop),
            other => panic!("{other}?"),
        }
        .expect("a page");
    });
}
