//! The document of a provider: limits and authentication of a domain.

use super::super::limits::duration;
use super::super::secret::Auth;
use super::super::yaml;
use super::{Provider, Text};

pub(super) fn document(text: &mut Text, provider: &Provider) {
    let has_any = provider.auth.is_some() || !provider.limits.known.is_empty();
    // Without anything certain, all of it is a suggestion.
    let begin = if has_any { "" } else { "# " };
    let line =
        |text: &mut Text, line: String, comment: Option<&str>| text.line(&format!("{begin}{line}"), comment);
    line(text, "---".to_owned(), None);
    line(text, "kind: provider".to_owned(), Some("for all sources of this domain: one is enough"));
    line(text, format!("domain: {}", provider.domain), None);
    if !provider.limits.known.is_empty() {
        let limit = |(requests, seconds): &(u64, u64)| {
            format!("{{ requests: {requests}, per: {} }}", duration(*seconds))
        };
        let limits: Vec<String> = provider.limits.known.iter().map(limit).collect();
        line(text, format!("limits: [ {} ]", limits.join(", ")), Some("as the answer's headers say"));
    } else if let Some((requests, header)) = provider.limits.unknown {
        let note = format!("by {header}, which does not say for how long: see the API's documentation");
        text.line(&format!("# limits: [ {{ requests: {requests}, per: 1h }} ]"), Some(&note));
    }
    if let Some(auth) = &provider.auth {
        text.line("auth:", None);
        text.line(&format!("  {}", authentication(auth)), None);
    }
}

fn authentication(auth: &Auth) -> String {
    let named = |kind: &str, name: &str, value: &str| {
        format!("{kind}: {{ name: {}, value: {} }}", yaml::text(name), yaml::quoted(value))
    };
    match auth {
        Auth::Header { name, value } => named("header", name, value),
        Auth::Query { name, value } => named("query", name, value),
        Auth::Bearer(token) => format!("bearer: {}", yaml::quoted(token)),
        Auth::Basic { user, password } => {
            format!("basic: {{ user: {}, password: {} }}", yaml::quoted(user), yaml::quoted(password))
        }
    }
}
