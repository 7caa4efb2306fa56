//! A loopback HTTPS server with a certificate made for the test: one answer for every request. `Site` is
//! for all else; this one is there for the way to it.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A client that says nothing is left alone after this.
const SILENCE: Duration = Duration::from_secs(60);

/// Ends with its last connection when it is dropped.
#[derive(Debug)]
pub struct TlsSite {
    address: SocketAddr,
    authority: String,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    answered: AtomicUsize,
    is_closing: AtomicBool,
}

impl TlsSite {
    /// Its certificate is for `name`, valid until the end of that year.
    pub fn new(name: &str, until_year: i32, body: &str) -> TlsSite {
        let (config, authority) = certified(name, until_year);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let (state, body) = (Arc::clone(&shared), body.to_owned());
        let listener = Some(thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if state.is_closing.load(Ordering::SeqCst) {
                    return;
                }
                // A handshake that the client refuses is what some tests are about.
                let _ = serve(stream, &config, &body, &state.answered);
            }
        }));
        TlsSite { address, authority, shared, listener }
    }

    pub fn url(&self, host: &str) -> String {
        format!("https://{host}:{}/", self.address.port())
    }

    /// The certificate of the authority that vouches for this site, to be trusted or not.
    pub fn write_authority(&self, path: &Path) {
        std::fs::write(path, &self.authority).unwrap();
    }

    /// Requests that came through.
    pub fn answered(&self) -> usize {
        self.shared.answered.load(Ordering::SeqCst)
    }
}

impl Drop for TlsSite {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

/// An authority, and a certificate that it gave: as on the web, where no site vouches for itself.
fn certified(name: &str, until_year: i32) -> (Arc<ServerConfig>, String) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().unwrap();
    let pem = authority.self_signed(&authority_key).unwrap().pem();
    let issuer = Issuer::new(authority, authority_key);
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params.not_after = date_time_ymd(until_year, 12, 31);
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, &issuer).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.der().clone()],
            PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
        )
        .unwrap();
    (Arc::new(config), pem)
}

/// One request, one answer, and the connection is closed.
fn serve(
    mut tcp: TcpStream,
    config: &Arc<ServerConfig>,
    body: &str,
    answered: &AtomicUsize,
) -> std::io::Result<()> {
    tcp.set_read_timeout(Some(SILENCE))?;
    let mut tls = ServerConnection::new(Arc::clone(config)).map_err(std::io::Error::other)?;
    let mut stream = Stream::new(&mut tls, &mut tcp);
    let mut lines = BufReader::new(&mut stream).lines();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    answered.fetch_add(1, Ordering::SeqCst);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
    stream.conn.send_close_notify();
    stream.flush()
}
