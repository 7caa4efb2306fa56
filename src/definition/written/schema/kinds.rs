//! The schema of a document of any kind.

use serde_json::{Value, json};

use super::super::{Deployment, Handler, Provider, Source};
use super::{Described, KINDS, client};

pub(super) fn schema() -> Value {
    let others = &KINDS[1..];
    let is = |kind: Value| json!({ "properties": { "kind": kind }, "required": ["kind"] });
    let then = |kind: &str| json!({ "$ref": format!("#/definitions/{kind}") });
    let of = |kind: &&str| json!({ "if": is(json!({ "const": kind })), "then": then(kind) });
    let source = json!({ "if": is(json!({ "enum": others })), "else": then("source") });
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A document of Hermes",
        "type": "object",
        "properties": { "kind": { "enum": KINDS, "description": "What the document is; a source unless given." } },
        "allOf": std::iter::once(source).chain(others.iter().map(of)).collect::<Vec<_>>(),
        "definitions": {
            "source": Source::schema(),
            "client": client::schema(),
            "provider": Provider::schema(),
            "deployment": Deployment::schema(),
            "handler": Handler::schema(),
        },
    })
}
