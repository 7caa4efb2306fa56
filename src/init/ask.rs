//! The one request, with the worker's own client: bounded, its redirects
//! watched, nothing secret in what is said of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::secret::Asked;
use crate::definition::mapping::DEFAULT_MAX_BYTES;
use crate::worker::cut::Cut;
use crate::worker::http::{Answer, Client, Request};
use crate::worker::quote::shorten;
use crate::worker::secrets::Secrets;

/// Of the one request. A page that takes longer is no fit for a schedule either.
const TIMEOUT: Duration = Duration::from_secs(60);

const QUOTED_BYTES: usize = 4096;
const QUOTED_CHARS: usize = 160;

/// `Err` says what the site answered instead of data, without a secret.
pub fn ask(asked: &Asked, secrets: &Secrets, now: Timestamp) -> Result<(Answer, Vec<u8>), String> {
    let url = asked.request_url();
    let request = Request {
        method: asked.method,
        home: url.origin(),
        url,
        headers: asked.plain_headers(),
        credentials: asked.credentials(),
        body: asked.body.clone(),
        max_bytes: DEFAULT_MAX_BYTES,
        deadline: Instant::now() + TIMEOUT,
    };
    let mut body = Vec::new();
    let answer = Client::new(Arc::new(Cut::default())).ask(&request, secrets, now, &mut body);
    let answer = answer.map_err(|failure| failure.message)?;
    if (200..300).contains(&answer.status) {
        Ok((answer, body))
    } else {
        Err(refused(&answer, &body, secrets))
    }
}

fn refused(answer: &Answer, body: &[u8], secrets: &Secrets) -> String {
    let hint = match answer.status {
        401 | 403 if !answer.is_home => {
            ": it was redirected to another site, where credentials do not follow"
        }
        401 | 403 => {
            ": a key is missing or refused; give it as curl would, with -H 'X-API-Key: …' or in the url"
        }
        404 | 410 => ": check the url",
        429 => ": too many requests; try again later",
        500.. => ": the server's trouble",
        _ => "",
    };
    let begin = String::from_utf8_lossy(&body[..body.len().min(QUOTED_BYTES)]);
    let line = begin.trim_end_matches('\u{fffd}').split_whitespace().collect::<Vec<_>>().join(" ");
    let said = shorten(&secrets.mask(&line), QUOTED_CHARS);
    let quote = if said.is_empty() { String::new() } else { format!("; it says: {said}") };
    format!("answered {}{hint}{quote}", answer.status)
}
