//! From a provider's authentication to what is sent with a request. Keeps out
//! where it is sent: a credential goes to the source's origin only, and that is
//! the client's to see to.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::Value;
use url::{Url, form_urlencoded};

use super::base64;
use super::http::{Answer, Body, Client, Credential, Failure, Kind, Request};
use super::secrets::Secrets;
use super::tokens::Tokens;
use crate::definition::provider::{Auth, Provider};
use crate::definition::source::Method;
use crate::definition::template::Template;

/// A token is a few hundred bytes; some come with a page of claims.
const MAX_TOKEN_BYTES: u64 = 256 * 1024;

/// What getting credentials needs of the worker.
#[derive(Debug)]
pub struct Asking<'a> {
    pub client: &'a mut Client,
    pub secrets: &'a mut Secrets,
    pub tokens: &'a Tokens,
    pub deadline: Instant,
    pub now: Timestamp,
}

/// Asks the web only where a token is needed and none is held. After a 401,
/// [`Tokens::forget`] and one more call give a fresh one.
pub fn credentials(provider: Option<&Provider>, asking: &mut Asking<'_>) -> Result<Vec<Credential>, Failure> {
    let Some((provider, auth)) = provider.and_then(|provider| Some((provider, provider.auth.as_ref()?)))
    else {
        return Ok(Vec::new());
    };
    let mut fill = |template: &Template| fill(template, &provider.domain, asking.secrets);
    Ok(vec![match auth {
        Auth::Header { name, value } => Credential::Header(name.clone(), fill(value)?),
        Auth::Query { name, value } => Credential::Query(name.clone(), fill(value)?),
        Auth::Bearer(token) => bearer(&fill(token)?),
        Auth::Basic { user, password } => {
            let pair = base64::encode(format!("{}:{}", fill(user)?, fill(password)?).as_bytes());
            asking.secrets.remember(&pair);
            authorization("Basic", &pair)
        }
        Auth::OAuth2 { .. } => bearer(&token(&provider.domain, auth, asking)?),
    }])
}

fn bearer(token: &str) -> Credential {
    authorization("Bearer", token)
}

fn authorization(scheme: &str, value: &str) -> Credential {
    Credential::Header("Authorization".to_owned(), format!("{scheme} {value}"))
}

fn fill(template: &Template, domain: &str, secrets: &mut Secrets) -> Result<String, Failure> {
    secrets.fill(template).map_err(|error| failure(domain, &error))
}

fn failure(domain: &str, what: &str) -> Failure {
    Failure::new(Kind::Credentials, format!("no credentials for {domain}: {what}"))
}

fn token(domain: &str, auth: &Auth, asking: &mut Asking<'_>) -> Result<String, Failure> {
    // The placeholders, not the values: what is hashed is what the file says.
    let hash = blake3::hash(format!("{auth:?}").as_bytes());
    if let Some(token) = asking.tokens.get(domain, hash, Instant::now()) {
        asking.secrets.remember(&token);
        return Ok(token);
    }
    // Before it is asked for: its life is counted from when the site made it.
    let began = Instant::now();
    let request = token_request(domain, auth, asking)?;
    let mut body = Vec::new();
    let answer = asking.client.ask(&request, asking.secrets, asking.now, &mut body).map_err(|failure| {
        Failure { message: format!("no token for {domain}: {}", failure.message), ..failure }
    })?;
    let (token, life) = granted(&answer, &body).map_err(|what| failure(domain, &what))?;
    asking.secrets.remember(&token);
    asking.tokens.put(domain, hash, &token, life, began);
    Ok(token)
}

fn token_request(domain: &str, auth: &Auth, asking: &mut Asking<'_>) -> Result<Request, Failure> {
    let Auth::OAuth2 { token_url, client_id, client_secret, scope } = auth else {
        unreachable!("only OAuth asks for a token");
    };
    let mut fill = |template: &Template| fill(template, domain, asking.secrets);
    let url = Url::parse(&fill(token_url)?).map_err(|_| failure(domain, "its tokenUrl is not a url"))?;
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials");
    form.append_pair("client_id", &fill(client_id)?);
    form.append_pair("client_secret", &fill(client_secret)?);
    if let Some(scope) = scope {
        form.append_pair("scope", scope);
    }
    Ok(Request {
        method: Method::Post,
        home: url.origin(),
        url,
        headers: Vec::new(),
        credentials: Vec::new(),
        body: Some(Body::Form(form.finish())),
        max_bytes: MAX_TOKEN_BYTES,
        deadline: asking.deadline,
    })
}

/// Of the answer, only its status is ever told: the rest may hold a token.
fn granted(answer: &Answer, body: &[u8]) -> Result<(String, Option<Duration>), String> {
    let status = answer.status;
    if !(200..300).contains(&status) {
        let hint = if status < 500 { "; check clientId, clientSecret and scope" } else { "" };
        return Err(format!("the tokenUrl answered {status}{hint}"));
    }
    let json: Value = serde_json::from_slice(body).map_err(|_| "the tokenUrl answered without JSON")?;
    let token = json["access_token"].as_str().filter(|token| !token.is_empty());
    let token = token.ok_or("the tokenUrl answered without an access_token")?;
    let life = &json["expires_in"];
    // Some sites send the number as text.
    let seconds = life.as_f64().or_else(|| life.as_str()?.trim().parse().ok());
    let life = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
    Ok((token.to_owned(), life))
}

#[cfg(test)]
#[path = "auth_tests.rs"]
mod tests;
