//! sonic-rs. Ways: str, slice, raw-str, skip, as for serde_json.

use std::borrow::Cow;
use std::marker::PhantomData;

use parsers::{Page, Parser, Sink, mapping, run};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny};
use sonic_rs::LazyValue;

struct Sonic;

impl Parser for Sonic {
    fn raw<'de, D: Deserializer<'de>>(value: D) -> Result<Cow<'de, str>, D::Error> {
        LazyValue::deserialize(value).map(|raw| raw.as_raw_cow())
    }

    fn unescape(raw: &str) -> String {
        sonic_rs::from_str(raw).expect("JSON")
    }
}

fn main() {
    run(|way, page: &[u8], sink: &mut Sink<'_>| {
        let record = &mapping(way == "raw-str");
        let seed = Page { record, sink, parser: PhantomData::<Sonic> };
        let text = |page| std::str::from_utf8(page).expect("UTF-8");
        match way {
            "slice" => seed.deserialize(&mut sonic_rs::Deserializer::from_slice(page)),
            "str" | "raw-str" => seed.deserialize(&mut sonic_rs::Deserializer::from_str(text(page))),
            "skip" => sonic_rs::from_str::<IgnoredAny>(text(page)).map(drop),
            other => panic!("{other}?"),
        }
        .expect("a page");
    });
}
