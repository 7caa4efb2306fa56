//! Why there is no answer, sorted by what is to be done about it, in a line
//! that a person understands. Keeps out query strings and headers: they may
//! hold secrets.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, UdpSocket};

use ureq::{Error, Timeout};
use url::{Host, Url};

use super::super::cut::Why;
use super::agent::is_loopback;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: Kind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// This machine has no network: not the source's fault.
    Offline,
    /// The site does not exist or does not let us in.
    Connect,
    Tls,
    /// No connection in time, though the run still has some.
    Timeout,
    /// The run has no time left.
    Deadline,
    TooLarge,
    /// What came is not HTTP, not gzip, or not all of it.
    Protocol,
    Redirect,
    /// The request cannot be made from this definition.
    Request,
    /// A secret is missing, or no token was given for it.
    Credentials,
    Cut(Why),
}

impl Failure {
    pub fn new(kind: Kind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into() }
    }

    /// A cut by the deadline and a deadline noticed here are the same to the
    /// caller.
    pub(super) fn cut(why: Why, url: &Url) -> Failure {
        let place = place(url);
        match why {
            Why::Deadline => deadline(&place),
            Why::Stop => {
                Failure::new(Kind::Cut(why), format!("the request to {place} ended as hermes stops"))
            }
            Why::Cancelled => Failure::new(Kind::Cut(why), format!("the request to {place} was cancelled")),
        }
    }

    pub(super) fn of(error: &Error, url: &Url) -> Failure {
        let place = place(url);
        match error {
            Error::Timeout(Timeout::Resolve) => {
                Failure::new(Kind::Offline, format!("no name server told the address of {place} in time"))
            }
            Error::Timeout(Timeout::Connect) => {
                Failure::new(Kind::Timeout, format!("no connection to {place} within 10 s"))
            }
            Error::Timeout(_) => deadline(&place),
            Error::HostNotFound => not_found(&place),
            Error::Io(error) => of_io(error, url, &place),
            Error::Tls(_) | Error::Rustls(_) | Error::Pem(_) | Error::TlsRequired => tls(&place, error),
            Error::Http(_) | Error::BadUri(_) => Failure::new(
                Kind::Request,
                format!(
                    "the request to {place} cannot be made: a header or the url has a character that HTTP forbids"
                ),
            ),
            Error::ConnectProxyFailed(_) | Error::InvalidProxyUrl | Error::ConnectionFailed => Failure::new(
                Kind::Connect,
                format!("no connection to {place}; check HTTPS_PROXY and HTTP_PROXY if they are set"),
            ),
            Error::Decompress(..) => {
                Failure::new(Kind::Protocol, format!("the answer of {place} is broken or cut short (gzip)"))
            }
            Error::LargeResponseHeader(..) => Failure::new(
                Kind::Protocol,
                format!("the headers of {place}'s answer are larger than 64 KiB"),
            ),
            other => Failure::new(Kind::Protocol, format!("{place} sent no valid HTTP ({})", line(other))),
        }
    }
}

fn of_io(error: &io::Error, url: &Url, place: &str) -> Failure {
    let fail = |kind, what: &str| Failure::new(kind, format!("{what} {place}"));
    match error.kind() {
        ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown | ErrorKind::AddrNotAvailable
            if has_no_route() && !is_loopback(url) =>
        {
            fail(Kind::Offline, "this machine has no network: no way to")
        }
        ErrorKind::HostUnreachable if !is_loopback(url) && (has_no_route() || !is_nearby(url)) => {
            fail(Kind::Offline, "the network is unreachable: no route to")
        }
        ErrorKind::ConnectionRefused => fail(Kind::Connect, "connection refused by"),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            fail(Kind::Connect, "connection reset by")
        }
        ErrorKind::TimedOut | ErrorKind::WouldBlock => fail(Kind::Timeout, "no sign of life from"),
        ErrorKind::UnexpectedEof => fail(Kind::Protocol, "the answer was cut short by"),
        ErrorKind::InvalidData if url.scheme() == "https" => tls(place, error),
        _ => of_lookup(error, place),
    }
}

/// The resolver's errors have no kind of their own. glibc and musl each have
/// their words for "ask again later", which is what a machine without network
/// gets to hear.
fn of_lookup(error: &io::Error, place: &str) -> Failure {
    let text = line(error);
    if !text.contains("failed to lookup address") {
        return Failure::new(Kind::Connect, format!("no connection to {place} ({text})"));
    }
    if text.contains("Temporary failure") || text.contains("Try again") {
        return Failure::new(
            Kind::Offline,
            format!("temporary failure in name resolution of {place}: is this machine online?"),
        );
    }
    not_found(place)
}

fn not_found(place: &str) -> Failure {
    Failure::new(Kind::Connect, format!("there is no host named {place}; check the url"))
}

fn tls(place: &str, error: &dyn std::fmt::Display) -> Failure {
    let text = line(error);
    let clock = if text.contains("xpired") || text.contains("not valid yet") || text.contains("NotValidYet") {
        "; check this machine's clock as well"
    } else {
        ""
    };
    Failure::new(Kind::Tls, format!("no secure connection to {place} ({text}){clock}"))
}

pub(super) fn deadline(place: &str) -> Failure {
    Failure::new(
        Kind::Deadline,
        format!("{place} had not finished its answer when the run's time was over (execution.timeout)"),
    )
}

/// ureq takes headers that overflow its buffer for a connection that was closed.
pub(super) fn no_head(url: &Url) -> Failure {
    let place = place(url);
    Failure::new(
        Kind::Protocol,
        format!("{place} closed the connection without an answer, or its headers are larger than 64 KiB"),
    )
}

/// Host and port: enough to know who is meant, and never a secret of ours.
pub(super) fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or("the url's host");
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// What a library says may quote what a site sent: one line of it, and not all.
fn line(error: &dyn std::fmt::Display) -> String {
    error.to_string().chars().filter(|letter| !letter.is_control()).take(200).collect()
}

/// With several addresses only the last one's error is known. On a machine
/// without IPv6 that is "network unreachable" for any site that is down, so the
/// machine's own routes decide. Connecting a UDP socket sends nothing; the
/// addresses are those set aside for documentation.
fn has_no_route() -> bool {
    let routed = |from: &str, to: &str| UdpSocket::bind(from).and_then(|socket| socket.connect(to)).is_ok();
    !routed("0.0.0.0:0", "192.0.2.1:9") && !routed("[::]:0", "[2001:db8::1]:9")
}

/// A device of the same network that is switched off is "no route to host"
/// too, and says nothing about this machine.
fn is_nearby(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_private() || ip.is_link_local() || ip.is_loopback(),
        Some(Host::Ipv6(ip)) => {
            IpAddr::V6(ip).is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local()
        }
        Some(Host::Domain(name)) => {
            !name.contains('.') || [".local", ".lan", ".home.arpa"].iter().any(|end| name.ends_with(end))
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_whose_it_is_and_never_shows_the_query() {
        let lookup =
            |text: &str| Error::Io(io::Error::other(format!("failed to lookup address information: {text}")));
        let io = |kind: ErrorKind| Error::Io(kind.into());
        for (error, want) in [
            (lookup("Temporary failure in name resolution"), Kind::Offline),
            (lookup("Try again"), Kind::Offline),
            (lookup("Name or service not known"), Kind::Connect),
            (lookup("Name does not resolve"), Kind::Connect),
            (io(ErrorKind::HostUnreachable), Kind::Offline),
            (io(ErrorKind::ConnectionRefused), Kind::Connect),
            (io(ErrorKind::ConnectionReset), Kind::Connect),
            (io(ErrorKind::InvalidData), Kind::Tls),
            (io(ErrorKind::UnexpectedEof), Kind::Protocol),
            (Error::Timeout(Timeout::Resolve), Kind::Offline),
            (Error::Timeout(Timeout::Connect), Kind::Timeout),
            (Error::Timeout(Timeout::Global), Kind::Deadline),
            (Error::HostNotFound, Kind::Connect),
            (Error::BadUri("https://a.example/?key=secret".into()), Kind::Request),
            (Error::Decompress("gzip", ErrorKind::UnexpectedEof.into()), Kind::Protocol),
            (Error::LargeResponseHeader(70_000, 65_536), Kind::Protocol),
        ] {
            let url = Url::parse("https://me:pw@a.example:444/path?key=secret").expect("a url");
            let failure = Failure::of(&error, &url);
            assert_eq!(failure.kind, want, "{error}");
            assert!(failure.message.contains("a.example:444"), "{}", failure.message);
            assert!(
                !failure.message.contains("secret") && !failure.message.contains("pw"),
                "{}",
                failure.message
            );
        }
    }

    #[test]
    fn loopback_needs_no_network_and_is_the_sources_own_trouble() {
        for url in ["http://127.0.0.1:9/", "http://[::1]/"] {
            for kind in
                [ErrorKind::NetworkUnreachable, ErrorKind::HostUnreachable, ErrorKind::AddrNotAvailable]
            {
                let failure = Failure::of(&Error::Io(kind.into()), &Url::parse(url).expect(url));
                assert_eq!(failure.kind, Kind::Connect, "{url} {kind}");
            }
        }
    }

    #[test]
    fn a_device_nearby_that_is_off_does_not_mean_that_this_machine_is_offline() {
        for (url, want) in [
            ("http://192.168.1.5/", true),
            ("http://sensor.local/", true),
            ("http://printer/", true),
            ("http://[fe80::1]/", true),
            ("https://api.example/", false),
            ("https://8.8.8.8/", false),
        ] {
            assert_eq!(is_nearby(&Url::parse(url).expect(url)), want, "{url}");
        }
    }
}
