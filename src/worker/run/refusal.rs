//! What a refusal means for a person: in one line, naming the placeholder whose
//! secret was refused, never the secret. Pure; nothing here asks or records.

use serde_json::Value;

use crate::definition::provider::Auth;
use crate::definition::template::Part;
use crate::definition::{Provider, Source, Template};

/// More of them say no more.
const MOST_NAMED: usize = 3;

/// What to look at, to go behind "answered 403"; empty where the status says all.
pub(super) fn hint(status: u16, is_home: bool, source: &Source, provider: Option<&Provider>) -> String {
    match status {
        401 | 403 if !is_home => {
            ": it was redirected to another origin, where credentials do not follow".to_owned()
        }
        401 | 403 => credentials(source, provider.and_then(|provider| provider.auth.as_ref())),
        404 | 410 => ": check the url".to_owned(),
        429 => ": too many requests; give its provider a limit".to_owned(),
        500.. => ": the server's trouble".to_owned(),
        _ => String::new(),
    }
}

/// Where a document comes from: its file, or by hand.
pub(in crate::worker) fn document(kind: &str, name: &str, origin: Option<&str>) -> String {
    origin.map_or_else(|| format!("in the {kind} {name}, added by hermes add"), |file| format!("in {file}"))
}

fn credentials(source: &Source, auth: Option<&Auth>) -> String {
    let mut named = Vec::new();
    auth.map(templates_of).into_iter().flatten().for_each(|template| add(&mut named, template));
    add(&mut named, &source.url);
    source.headers.iter().chain(&source.params).for_each(|(_, template)| add(&mut named, template));
    source.body.iter().for_each(|body| add_json(&mut named, body));
    named.truncate(MOST_NAMED);
    match named.as_slice() {
        [] if auth.is_some() => ": the key in the auth of its provider is refused?".to_owned(),
        [] => ": it wants credentials; give its provider `auth`".to_owned(),
        [one] => format!(": the key in {one} is refused?"),
        several => format!(": the keys in {} are refused?", several.join(" and ")),
    }
}

fn templates_of(auth: &Auth) -> Vec<&Template> {
    match auth {
        Auth::Header { value, .. } | Auth::Query { value, .. } | Auth::Bearer(value) => vec![value],
        Auth::Basic { user, password } => vec![user, password],
        Auth::OAuth2 { client_id, client_secret, .. } => vec![client_id, client_secret],
    }
}

/// Its secrets, as they are written.
fn add(named: &mut Vec<String>, template: &Template) {
    let is_secret = |part: &&Part| matches!(part, Part::Env(_) | Part::File(_));
    for part in template.parts.iter().filter(is_secret) {
        let placeholder = Template { parts: vec![part.clone()] }.to_string();
        if !named.contains(&placeholder) {
            named.push(placeholder);
        }
    }
}

fn add_json(named: &mut Vec<String>, value: &Value) {
    match value {
        Value::String(text) => Template::parse(text).iter().for_each(|template| add(named, template)),
        Value::Array(items) => items.iter().for_each(|item| add_json(named, item)),
        Value::Object(members) => members.values().for_each(|member| add_json(named, member)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::document::{self, Definition};

    fn source(more: &str) -> Source {
        let text = format!(
            "name: a\nurl: https://a.example/\ntable: t\nresponse: {{ fields: {{ id: id }} }}\n{more}"
        );
        match document::read(&text).documents.pop().expect("a document").definition {
            Definition::Source(source) => *source,
            _ => unreachable!("it is a source"),
        }
    }

    fn provider(auth: &str) -> Provider {
        let text = format!("kind: provider\ndomain: a.example\nauth: {auth}\n");
        match document::read(&text).documents.pop().expect("a document").definition {
            Definition::Provider(provider) => provider,
            _ => unreachable!("it is a provider"),
        }
    }

    #[test]
    fn a_refusal_names_the_placeholder_whose_secret_was_sent() {
        let basic = "{ basic: { user: me, password: \"${file:/run/p}\" } }";
        let body = "method: POST\nbody: { a: [\"${env:B}\"] }\n";
        let header = "headers: { K: \"Token ${env:H}\" }\nparams: { k: \"${env:H}\" }\n";
        for (why, more, auth, want) in [
            ("of the auth", "", Some("{ bearer: \"${env:KEY}\" }"), "the key in ${env:KEY} is refused?"),
            ("a file", "", Some(basic), "the key in ${file:/run/p} is refused?"),
            ("of a header and a param", header, None, "the key in ${env:H} is refused?"),
            ("of the body", body, None, "the key in ${env:B} is refused?"),
            (
                "both",
                header,
                Some("{ bearer: \"${env:KEY}\" }"),
                "the keys in ${env:KEY} and ${env:H} are refused?",
            ),
            ("written out", "", Some("{ bearer: abc }"), "the key in the auth of its provider is refused?"),
            ("none", "", None, "it wants credentials; give its provider `auth`"),
        ] {
            let provider = auth.map(provider);
            let hint = hint(403, true, &source(more), provider.as_ref());
            assert_eq!(hint, format!(": {want}"), "{why}");
        }
    }
}
