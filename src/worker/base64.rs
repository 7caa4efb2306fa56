//! Base64, encoding only: basic authentication needs it, and the mask must
//! know how a secret looks in it. Nothing here decodes.

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// With padding, as the `Authorization` header wants it.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | usize::from(*group.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let letter = STANDARD[bits >> (18 - 6 * i) & 63];
            text.push(if i > group.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_rfc_4648_come_out_right() {
        for (bytes, want) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), want, "{bytes}");
        }
        assert_eq!(encode(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}
