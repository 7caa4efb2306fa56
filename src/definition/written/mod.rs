//! The documents as they are written: every key of the format, with the kind
//! of value that it takes. Keeps out the rules and the defaults, which are in
//! `check`.
//!
//! The JSON Schema of `hermes schema` is made of these types too: what stands
//! above a key is its description, what follows `=>` is told to editors, and
//! the names in brackets are needed. `schema` holds it in place.

mod forms;
mod given;
mod others;
mod pages;
mod response;
#[cfg(test)]
pub(super) mod schema;
mod source;

use serde_yaml::{Mapping, Value};

pub use forms::{Fields, NumberOrText, OneOrMany, Params, Scalar, Size, Span};
pub use given::{Given, What, kind_of};
pub use others::{Auth, Basic, Deployment, Handler, NamedSecret, OAuth2, Provider, RequestLimit, Ring};
pub use pages::{Counted, Cursor, CursorPagination, Link, NextUrl, OffsetPagination, Pagination};
pub use response::{Field, Response};
pub use source::{Execution, Incremental, Param, Retention, Source};

/// Structs whose keys may each be absent or wrong on their own. `KEYS` are
/// the names as in the code; [`in_yaml`] has them as people write them.
macro_rules! written {
    ($($(#[$doc:meta])* $name:ident $([$($needed:ident),*])? {
        $($(#[doc = $about:literal])+ $field:ident: $type:ty $(=> { $($hint:tt)* })?,)*
    } $(=> { $($rule:tt)* })?)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name {
            $($(#[doc = $about])+ pub $field: Given<$type>,)*
            /// Keys that the format does not have.
            pub unknown: Mapping,
        }

        impl $name {
            pub const KEYS: &'static [&'static str] = &[$(stringify!($field)),*];
        }

        impl What for $name {
            const WHAT: &'static str = "a map";

            fn of(value: Value) -> Option<Self> {
                // One of them has no keys.
                #[allow(unused_mut)]
                let mut unknown = map_of_text(value)?;
                Some($name { $($field: taken(&mut unknown, stringify!($field)),)* unknown })
            }
        }

        #[cfg(test)]
        impl schema::Described for $name {
            fn schema() -> serde_json::Value {
                use serde_json::json;
                #[allow(unused_imports)]
                use schema::*;
                let needed: &[&str] = &[$($(stringify!($needed)),*)?];
                let keys = [$(Key {
                    name: stringify!($field),
                    about: concat!($($about),+),
                    schema: <$type as Described>::schema(),
                    hint: json!({ $($($hint)*)? }),
                }),*];
                map_of(needed, keys.into(), json!({ $($($rule)*)? }))
            }
        }
    )*};
}
use written;

fn map_of_text(value: Value) -> Option<Mapping> {
    let Value::Mapping(map) = value else { return None };
    map.keys().all(Value::is_string).then_some(map)
}

fn taken<T: What>(map: &mut Mapping, key: &str) -> Given<T> {
    map.shift_remove(in_yaml(key)).map_or(Given::Absent, Given::of)
}

/// `max_retries` as it stands in a document: `maxRetries`.
pub fn in_yaml(key: &str) -> String {
    let mut words = key.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_named_as_in_the_documents() {
        for (key, want) in [("name", "name"), ("max_retries", "maxRetries"), ("r#type", "type")] {
            assert_eq!(in_yaml(key), want);
        }
    }

    #[test]
    fn one_wrong_value_leaves_the_others_readable() {
        let text = "timeout: [1]\nmaxRetries: 3\nretryResetPeriod:\nbakoff: 2\n";
        let written = Execution::of(serde_yaml::from_str(text).expect("YAML")).expect("a map");
        assert_eq!(written.timeout, Given::Bad("a duration such as 5m, not a list".into()));
        assert_eq!(written.max_retries, Given::Good(3));
        assert_eq!(written.retry_reset_period, Given::Absent);
        assert_eq!(written.unknown.len(), 1);
    }

    #[test]
    fn what_could_be_a_secret_is_not_repeated() {
        let value = serde_yaml::from_str("value: 12345\n").expect("YAML");
        let written = NamedSecret::of(value).expect("a map");
        assert_eq!(written.value, Given::Bad("text, not a number; put it in quotes".into()));
    }
}
