//! simd-json. Ways: slice, skip. It writes over the page, so each reading has
//! a copy; Hermes could do without that copy, but not without the tape of all
//! values. It has no raw values: the list is written out anew.

use std::borrow::Cow;
use std::cell::RefCell;
use std::marker::PhantomData;

use parsers::{Page, Parser, Sink, mapping, run};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny};
use simd_json::Buffers;

struct SimdJson;

impl Parser for SimdJson {
    fn raw<'de, D: Deserializer<'de>>(value: D) -> Result<Cow<'de, str>, D::Error> {
        let list = Vec::<&str>::deserialize(value)?;
        simd_json::to_string(&list).map(Cow::Owned).map_err(serde::de::Error::custom)
    }

    fn unescape(_: &str) -> String {
        unreachable!("only the list is raw")
    }
}

fn main() {
    let (copy, buffers) = (RefCell::new(Vec::new()), RefCell::new(Buffers::default()));
    run(|way, page: &[u8], sink: &mut Sink<'_>| {
        let record = &mapping(false);
        let seed = Page { record, sink, parser: PhantomData::<SimdJson> };
        let (mut copy, mut buffers) = (copy.borrow_mut(), buffers.borrow_mut());
        copy.clear();
        copy.extend_from_slice(page);
        let mut json =
            simd_json::Deserializer::from_slice_with_buffers(&mut copy, &mut buffers).expect("JSON");
        match way {
            "slice" => seed.deserialize(&mut json),
            "skip" => IgnoredAny::deserialize(&mut json).map(drop),
            other => panic!("{other}?"),
        }
        .expect("a page");
    });
}
