//! What a site answers: good, slow, broken and hostile replies as plain values. Sends nothing itself.

use super::Gate;
use flate2::write::GzEncoder;
use flate2::{Compress, Compression, Crc, FlushCompress};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// An answer, built up: `Reply::json(…).status(429).header("Retry-After", "7").delay(…)`.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
    pub(super) delay: Duration,
    pub(super) gate: Option<Gate>,
}

/// How the body goes over the wire. Bytes are shared, since a reply is cloned for each request.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// With its Content-Length.
    Whole(Arc<[u8]>),
    /// Chunked, in pieces of this many bytes.
    Chunked(Arc<[u8]>, usize),
    /// With its Content-Length, a byte at a time.
    Drip(Arc<[u8]>, Duration),
    /// Chunked: the first once, then the second until the client has enough.
    Endless(Arc<[u8]>, Arc<[u8]>),
    /// Declares this many bytes, and closes after fewer.
    CutShort(Arc<[u8]>, u64),
    /// These bytes and nothing else, instead of a status line and headers; then closes.
    Raw(Arc<[u8]>),
    /// Nothing at all, ever.
    Hang,
}

impl Reply {
    /// JSON from text (which need not be valid) or from a `serde_json::Value`.
    pub fn json(body: impl ToString) -> Reply {
        Reply::text("application/json", body)
    }

    pub fn text(content_type: &str, body: impl ToString) -> Reply {
        Reply::bytes(content_type, body.to_string().into_bytes())
    }

    pub fn bytes(content_type: &str, body: impl Into<Arc<[u8]>>) -> Reply {
        Reply::of(Body::Whole(body.into())).header("Content-Type", content_type)
    }

    /// A status and no more.
    pub fn empty(status: u16) -> Reply {
        Reply::of(Body::Whole(Arc::default())).status(status)
    }

    pub fn redirect(to: &str, status: u16) -> Reply {
        Reply::empty(status).header("Location", to)
    }

    /// Takes the request and never answers.
    pub fn hang() -> Reply {
        Reply::of(Body::Hang)
    }

    /// JSON, byte by byte with a pause before each.
    pub fn drip(body: impl AsRef<[u8]>, every: Duration) -> Reply {
        Reply::of(Body::Drip(body.as_ref().into(), every)).header("Content-Type", "application/json")
    }

    /// JSON that begins like this and goes on with white space for ever.
    pub fn endless(prefix: impl AsRef<[u8]>) -> Reply {
        Reply::endless_of(prefix, [b' '; 16 * 1024])
    }

    /// JSON that begins like this and goes on with `again` for ever, records for example.
    pub fn endless_of(prefix: impl AsRef<[u8]>, again: impl AsRef<[u8]>) -> Reply {
        let body = Body::Endless(prefix.as_ref().into(), again.as_ref().into());
        Reply::of(body).header("Content-Type", "application/json")
    }

    /// Promises `declared` bytes and closes after `body`.
    pub fn cut_short(body: impl AsRef<[u8]>, declared: u64) -> Reply {
        let body = Body::CutShort(body.as_ref().into(), declared);
        Reply::of(body).header("Content-Type", "application/json")
    }

    /// Whatever is not HTTP.
    pub fn raw(bytes: impl AsRef<[u8]>) -> Reply {
        Reply::of(Body::Raw(bytes.as_ref().into()))
    }

    /// About a thousandth of `total` on the wire. It unpacks to `[` and white space, not to zero
    /// bytes, so that no parser gives up on it before the limit of the reader does.
    pub fn gzip_bomb(total: u64) -> Reply {
        Reply::bytes("application/json", bomb(total)).header("Content-Encoding", "gzip")
    }

    /// `inner`, once the gate is open.
    pub fn gated(gate: &Gate, inner: Reply) -> Reply {
        Reply { gate: Some(gate.clone()), ..inner }
    }

    pub fn status(mut self, status: u16) -> Reply {
        self.status = status;
        self
    }

    /// A second `Content-Type` replaces the first; every other header may come several times.
    pub fn header(mut self, name: &str, value: &str) -> Reply {
        let once = name.eq_ignore_ascii_case("content-type");
        self.headers.retain(|(known, _)| !(once && known.eq_ignore_ascii_case(name)));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Waits before the first byte.
    pub fn delay(mut self, delay: Duration) -> Reply {
        self.delay = delay;
        self
    }

    /// The body compressed, and said to be.
    pub fn gzip(mut self) -> Reply {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(self.plain()).unwrap();
        self.body = Body::Whole(encoder.finish().unwrap().into());
        self.header("Content-Encoding", "gzip")
    }

    /// The body in chunks of `size` bytes instead of with its length.
    pub fn chunked(mut self, size: usize) -> Reply {
        self.body = Body::Chunked(self.plain().into(), size.max(1));
        self
    }

    fn plain(&self) -> &[u8] {
        match &self.body {
            Body::Whole(bytes) => bytes,
            other => panic!("only a plain body can be gzipped or chunked, this is {other:?}"),
        }
    }

    fn of(body: Body) -> Reply {
        Reply { status: 200, headers: Vec::new(), body, delay: Duration::ZERO, gate: None }
    }
}

/// One mebibyte is compressed once and its bytes repeated: a full flush ends at a byte boundary and
/// forgets what came before, so that the pieces stand side by side (RFC 1951, 3.2). Compressing a whole
/// gibibyte takes a debug build over twenty seconds.
fn bomb(total: u64) -> Vec<u8> {
    let block = vec![b' '; 1 << 20];
    let (packed, mut sum) = (deflated(b"["), Crc::new());
    let mut gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    gzip.extend(packed);
    sum.update(b"[");

    let (packed, mut of_block) = (deflated(&block), Crc::new());
    of_block.update(&block);
    let left = total.saturating_sub(1);
    for _ in 0..left / block.len() as u64 {
        gzip.extend(&packed);
        sum.combine(&of_block);
    }
    let rest = &block[..(left % block.len() as u64) as usize];
    gzip.extend(deflated(rest));
    sum.update(rest);

    // An empty last block, the checksum, and the length modulo 2^32.
    gzip.extend([1, 0, 0, 0xff, 0xff]);
    gzip.extend(sum.sum().to_le_bytes());
    gzip.extend(sum.amount().to_le_bytes());
    gzip
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    // Far more than compressed white space takes: `compress_vec` never grows its output.
    let mut packed = Vec::with_capacity(64 * 1024);
    let mut deflate = Compress::new(Compression::best(), false);
    deflate.compress_vec(bytes, &mut packed, FlushCompress::Full).unwrap();
    assert_eq!(deflate.total_in(), bytes.len() as u64, "the whole block is compressed");
    packed
}
