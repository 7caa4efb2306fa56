//! How connections are made: roots of trust, proxy, buffers. Keeps out what
//! is sent over them.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use ureq::Agent;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use url::{Host, Url};

const USER_AGENT: &str = concat!("hermes/", env!("CARGO_PKG_VERSION"));
const ACCEPT: &str = "application/json, */*;q=0.1";

/// Twice what the largest distribution ships.
const MAX_BUNDLE_BYTES: u64 = 4 * 1024 * 1024;

/// Where Debian, Fedora, and Alpine or the BSDs keep their certificates.
const BUNDLES: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/// Redirects and status codes are left to us. The buffers are half of what
/// ureq takes by default, and a worker has one request at a time: few idle
/// connections are worth their memory.
pub(super) fn build(with_roots: bool) -> Result<Agent, String> {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .user_agent(USER_AGENT)
        .accept(ACCEPT)
        .input_buffer_size(64 * 1024)
        .output_buffer_size(64 * 1024)
        .max_idle_connections(2)
        .max_idle_connections_per_host(1);
    if !with_roots {
        return Ok(config.build().into());
    }
    let roots = roots().clone().ok_or_else(|| {
        format!(
            "no root certificates in {}: install ca-certificates, or name a file in SSL_CERT_FILE",
            BUNDLES.join(", ")
        )
    })?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = TlsConfig::builder().root_certs(roots).unversioned_rustls_crypto_provider(provider);
    Ok(config.tls_config(tls.build()).build().into())
}

/// The system's own, which are kept up to date where a binary is not. Read once,
/// at the first https request.
fn roots() -> &'static Option<RootCerts> {
    static ROOTS: OnceLock<Option<RootCerts>> = OnceLock::new();
    ROOTS.get_or_init(|| {
        let chosen = std::env::var("SSL_CERT_FILE").ok().filter(|path| !path.is_empty());
        let own = chosen.as_deref().and_then(bundle);
        if let (Some(path), None) = (&chosen, &own) {
            log::warn!("SSL_CERT_FILE={path} has no certificate that can be read; the system's are used");
        }
        own.or_else(|| BUNDLES.into_iter().find_map(bundle))
    })
}

/// A single certificate that cannot be read does not spoil the others.
fn bundle(path: &str) -> Option<RootCerts> {
    let pem = read(path).ok()?;
    let certificates: Vec<_> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    (!certificates.is_empty()).then(|| RootCerts::from(certificates))
}

fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut pem = Vec::new();
    File::open(path)?.take(MAX_BUNDLE_BYTES).read_to_end(&mut pem)?;
    Ok(pem)
}

/// A proxy that the environment names is for the world outside; what runs on
/// this machine is not there for it to reach.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_addresses_are_known() {
        for (url, want) in [
            ("http://127.0.0.1:80/", true),
            ("http://127.9.9.9/", true),
            ("http://[::1]/", true),
            ("http://localhost/", true),
            ("http://localhost.example/", false),
            ("http://10.0.0.1/", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).expect(url)), want, "{url}");
        }
    }

    #[test]
    fn a_file_without_certificates_is_no_bundle() {
        assert!(bundle("/dev/null").is_none());
        assert!(bundle("/no/such/file").is_none());
    }
}
