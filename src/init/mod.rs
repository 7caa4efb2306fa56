//! From one answer of an API to the document of a source: what to fetch, where
//! its records are, what they hold, how to go on to the next page.
//!
//! The rules are pure, a file each; `ask` sends the one request, with the
//! worker's own client. What is not certain is taken with a comment that says
//! so, or left to the reader in one.

mod around;
mod ask;
pub mod curl;
mod fields;
mod format;
mod identity;
mod limits;
mod names;
mod paging;
pub mod secret;
mod shape;
mod times;
mod tree;
mod types;
pub mod words;
mod write;
mod yaml;

use self::around::Around;
pub use self::ask::ask;
use self::paging::Signs;
use self::secret::Asked;
use self::write::Draft;
use crate::definition::mapping::Format;
use crate::definition::source::Method;
use crate::definition::{Provider, document};
use crate::worker::http::Answer;

/// What a person decides.
#[derive(Debug)]
pub struct Wishes {
    pub name: String,
    pub table: String,
    pub schedule: String,
}

impl Wishes {
    pub fn new(
        wanted: &curl::Wanted,
        name: Option<&str>,
        table: Option<&str>,
        schedule: Option<&str>,
    ) -> Wishes {
        let url = url::Url::parse(&wanted.url).ok();
        let host = url.as_ref().and_then(url::Url::host_str).unwrap_or_default().to_owned();
        let path = url.as_ref().map(url::Url::path).unwrap_or_default();
        let name = name.map_or_else(|| names::source(&host, path), str::to_owned);
        let table = table.map_or_else(|| names::table(&name), str::to_owned);
        Wishes { name, table, schedule: schedule.unwrap_or("daily").to_owned() }
    }
}

/// The text of the document. `provider` is one that serves the domain already.
pub fn document(
    wishes: Wishes,
    mut asked: Asked,
    answer: &Answer,
    body: &[u8],
    provider: Option<&Provider>,
) -> Result<String, String> {
    let parsed = format::parse(body, answer.content_type.as_deref())?;
    let shape = shape::find(&parsed.tree)?;
    let records = shape::records(&parsed.tree, &shape);
    if records.is_empty() {
        return Err("the answer has no records now; ask for what has some".into());
    }
    let is_json = parsed.format == Format::Json;
    let params: Vec<(String, String)> = asked
        .params
        .iter()
        .filter(|pair| !pair.is_secret)
        .map(|pair| (pair.name.clone(), pair.real.clone()))
        .collect();
    let signs = Signs {
        tree: &parsed.tree,
        shape: &shape,
        records: records.len(),
        params: &params,
        link: answer.link.as_deref(),
        is_json,
        is_post: asked.method == Method::Post,
    };
    let paging = paging::find(&signs);
    let around = if is_json { Around::of(&parsed.tree, &shape) } else { Around::default() };
    let is_flat = matches!(shape.layout, shape::Layout::Columns(_));
    let mut found = fields::find(&records, &parsed.tree, &around.taken, is_flat);
    if let (Some(error), true) = (&around.error, shape.path.is_empty()) {
        found.fields.retain(|field| field.from != fields::From::Record(error.clone()));
    }
    if found.fields.is_empty() {
        return Err("the records have no fields that a document could name".into());
    }
    let identity = identity::find(&found.fields, &records, &shape.layout);
    let provider = new_provider(&mut asked, answer, provider);
    if asked.has_basic() {
        return Err(
            "basic authentication belongs into the provider of the domain: give the one that is there \
                    `auth: { basic: { user, password } }`, or the site a name"
                .into(),
        );
    }
    let own: Vec<&str> = paging.paging.iter().flat_map(paging::Paging::params).collect();
    asked.params.retain(|pair| pair.is_secret || !own.contains(&pair.name.as_str()));
    let draft = Draft {
        head: head(&asked, answer),
        name: wishes.name,
        table: wishes.table,
        schedule: wishes.schedule,
        url: asked.url.to_string(),
        method: asked.method,
        headers: asked.headers,
        params: asked.params,
        body: asked.shown_body,
        format: parsed.format,
        records: records.len(),
        error_path: around.error,
        fields: found.fields,
        left_out: found.left_out,
        outside: around.named,
        identity,
        paging,
        provider,
        shape: shape.clone(),
    };
    sound(write::document(&draft))
}

/// None where the domain has one already: it limits and authenticates this source too.
fn new_provider(asked: &mut Asked, answer: &Answer, known: Option<&Provider>) -> Option<write::Provider> {
    let domain = asked.url.host_str().unwrap_or_default().to_owned();
    let is_named = !domain.starts_with('[');
    if let Some(known) = known {
        if known.auth.is_some() {
            asked.take_auth();
        }
        return None;
    }
    if !is_named {
        return None;
    }
    let limits = limits::find(&answer.headers);
    let auth = asked.take_auth();
    let is_any = auth.is_some() || limits.unknown.is_some() || !limits.known.is_empty();
    is_any.then_some(write::Provider { domain, limits, auth })
}

fn head(asked: &Asked, answer: &Answer) -> Vec<String> {
    let mut head = vec![
        "Written by `hermes init` from one answer. What is guessed says so: look at it first.".to_owned(),
    ];
    if let Some(host) = answer.url.host_str().filter(|_| !answer.is_home) {
        head.push(format!("The answer came from {host}, by a redirect to which no credentials follow."));
    }
    if !asked.left_out.is_empty() {
        head.push(format!("Headers that were left out: {}.", asked.left_out.join(", ")));
    }
    if answer.etag.is_some() || answer.last_modified.is_some() {
        head.push(
            "The server marks its answers (ETag or Last-Modified): unchanged ones cost it little.".to_owned(),
        );
    }
    if let Some(seconds) = limits::fresh_seconds(&answer.headers) {
        let fresh = limits::duration(seconds);
        head.push(format!(
            "The server calls its answer fresh for {fresh}: asking more often brings nothing new."
        ));
    }
    head
}

/// What does not pass the check is never handed on.
fn sound(text: String) -> Result<String, String> {
    match document::read(&text).problems.first() {
        None => Ok(text),
        Some(problem) => Err(format!("no document that passes the check can be made of this: {problem}")),
    }
}
