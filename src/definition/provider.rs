//! What all sources of a domain share: request limits and authentication.

use std::time::Duration;

use super::Template;

#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    /// Lower case; matches its subdomains as well.
    pub domain: String,
    pub limits: Vec<RequestLimit>,
    /// Requests at once to this domain.
    pub concurrency: Option<u32>,
    pub auth: Option<Auth>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestLimit {
    /// At least 1.
    pub requests: u32,
    /// At least a second.
    pub per: Duration,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Auth {
    Header { name: String, value: Template },
    Query { name: String, value: Template },
    Bearer(Template),
    Basic { user: Template, password: Template },
    OAuth2 { token_url: Template, client_id: Template, client_secret: Template, scope: Option<String> },
}

impl Provider {
    pub fn serves(&self, host: &str) -> bool {
        host == self.domain || host.strip_suffix(self.domain.as_str()).is_some_and(|rest| rest.ends_with('.'))
    }
}

/// The provider of a host: the longest domain wins, so that a subdomain can
/// have rules of its own.
pub fn provider_of<'a>(providers: &'a [Provider], host: &str) -> Option<&'a Provider> {
    providers.iter().filter(|provider| provider.serves(host)).max_by_key(|provider| provider.domain.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_matches_itself_and_its_subdomains_and_the_longest_wins() {
        let provider =
            |domain: &str| Provider { domain: domain.into(), limits: vec![], concurrency: None, auth: None };
        let providers = [provider("openaq.org"), provider("api.openaq.org")];
        for (host, want) in [
            ("openaq.org", Some("openaq.org")),
            ("www.openaq.org", Some("openaq.org")),
            ("api.openaq.org", Some("api.openaq.org")),
            ("v3.api.openaq.org", Some("api.openaq.org")),
            ("notopenaq.org", None),
            ("openaq.org.evil.example", None),
        ] {
            assert_eq!(provider_of(&providers, host).map(|p| p.domain.as_str()), want, "{host}");
        }
    }
}
