//! Where a request may go: the first hop and each redirect after it. Pure;
//! nothing here sends anything.
//!
//! One rule for all of them: an origin that is not the source's own gets
//! nothing of the source's, be it credentials, headers, a body, or a secret
//! that an answer put into the url.

use url::{Origin, Url};

use super::super::secrets::Secrets;
use super::failure::{Failure, Kind, place};
use crate::definition::source::Method;

const MAX_REDIRECTS: usize = 10;

/// One request on the way to an answer. The url is without credentials.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hop {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) with_body: bool,
}

impl Hop {
    pub(super) fn new(method: Method, mut url: Url, with_body: bool) -> Hop {
        url.set_fragment(None);
        // These can only fail for urls without a host, which no hop is sent to.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        Hop { method, url, with_body: with_body && method == Method::Post }
    }

    pub(super) fn is_home(&self, home: &Origin) -> bool {
        self.url.origin() == *home
    }

    /// Also for a next page's url that an answer gave: it is as little to be
    /// trusted as a redirect.
    pub(super) fn check(&self, home: &Origin, secrets: &Secrets) -> Result<(), Failure> {
        let place = place(&self.url);
        if !matches!(self.url.scheme(), "http" | "https") || !self.url.has_host() {
            return refuse(format!(
                "refused to go to a {}: url; only http and https are followed",
                self.url.scheme()
            ));
        }
        if self.is_home(home) {
            return Ok(());
        }
        if self.with_body {
            return refuse(format!(
                "refused to send the request's body on to {place}, which is not the source's host"
            ));
        }
        if secrets.appear_in(self.url.as_str()) {
            return refuse(format!("refused to go to {place}: its url holds a secret of this source's host"));
        }
        Ok(())
    }
}

/// The hop after the last one of `trail`.
pub(super) fn follow(trail: &[Hop], status: u16, location: &str) -> Result<Hop, Failure> {
    let last = trail.last().expect("a redirect answers a hop");
    let place = place(&last.url);
    if trail.len() > MAX_REDIRECTS {
        return refuse(format!("{place} redirects more than {MAX_REDIRECTS} times"));
    }
    let Ok(url) = last.url.join(location) else {
        return refuse(format!("{place} redirects to something that is not a url"));
    };
    let keeps = matches!(status, 307 | 308);
    let method = if keeps { last.method } else { Method::Get };
    let hop = Hop::new(method, url, keeps && last.with_body);
    if trail.contains(&hop) {
        return refuse(format!("{place} redirects in a circle; check the url"));
    }
    Ok(hop)
}

/// A redirect without a target is an answer like any other.
pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

fn refuse<T>(message: String) -> Result<T, Failure> {
    Err(Failure::new(Kind::Redirect, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Template;

    fn hop(method: Method, url: &str, with_body: bool) -> Hop {
        Hop::new(method, Url::parse(url).expect(url), with_body)
    }

    #[test]
    fn the_method_and_the_body_after_a_redirect() {
        use Method::{Get, Post};
        for (status, method, want) in [
            (301, Post, Get),
            (302, Post, Get),
            (303, Post, Get),
            (307, Post, Post),
            (308, Post, Post),
            (301, Get, Get),
            (307, Get, Get),
        ] {
            let next = follow(&[hop(method, "https://a.example/x/y?q=1#f", method == Post)], status, "../z");
            assert_eq!(next, Ok(hop(want, "https://a.example/z", want == Post)), "{status} {method:?}");
        }
    }

    #[test]
    fn where_a_hop_may_go() {
        let home = Url::parse("https://a.example/").expect("a url").origin();
        let mut secrets = Secrets::new(|_| Some("s3cret key".to_owned()));
        secrets.fill(&Template::parse("${env:KEY}").expect("a template")).expect("the lookup has it");
        for (why, url, with_body, allowed) in [
            ("home", "https://a.example/x?k=s3cret+key", true, true),
            ("the default port is no other", "https://a.example:443/x", true, true),
            ("elsewhere", "https://b.example/x", false, true),
            ("a body elsewhere", "https://b.example/x", true, false),
            ("a body to another port", "https://a.example:444/x", true, false),
            ("a secret elsewhere", "https://b.example/?k=s3cret%20key", false, false),
            ("a secret in clear text", "http://a.example/?k=s3cret+key", false, false),
            ("clear text without a secret", "http://a.example/", false, true),
            ("a file", "file:///etc/passwd", false, false),
            ("another scheme", "ftp://a.example/", false, false),
        ] {
            let checked = hop(Method::Post, url, with_body).check(&home, &secrets);
            assert_eq!(checked.is_ok(), allowed, "{why}");
            assert!(checked.err().is_none_or(|failure| !failure.message.contains("s3cret")), "{why}");
        }
    }

    #[test]
    fn circles_and_long_ways_end() {
        let mut trail = vec![hop(Method::Get, "https://a.example/0", false)];
        for number in 1..=10 {
            trail.push(follow(&trail, 302, &format!("/{number}")).expect("not too many yet"));
        }
        assert!(follow(&trail, 302, "/11").expect_err("too many").message.contains("more than 10"));
        assert!(follow(&trail[..2], 302, "/0").expect_err("a circle").message.contains("circle"));
        assert!(follow(&trail[..1], 302, "https://").is_err(), "no url");
    }
}
