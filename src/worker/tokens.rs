//! OAuth tokens, shared by all workers of the process. Kept in memory only:
//! a restart asks for new ones.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A token is renewed this long before it ends, so that none ends on its way;
/// one of a short life a tenth of it before.
const MARGIN: Duration = Duration::from_secs(30);

/// For a site that does not say how long its token lives.
const UNSAID: Duration = Duration::from_secs(300);

/// A longer life is not believed, and could not be added to a clock.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

#[derive(Default)]
pub struct Tokens {
    held: Mutex<HashMap<String, Held>>,
}

struct Held {
    token: String,
    /// Of the definition that the token was asked for with.
    hash: blake3::Hash,
    until: Instant,
}

impl Tokens {
    pub fn forget(&self, domain: &str) {
        self.lock().remove(domain);
    }

    pub(super) fn get(&self, domain: &str, hash: blake3::Hash, now: Instant) -> Option<String> {
        let held = self.lock();
        held.get(domain).filter(|held| held.hash == hash && now < held.until).map(|held| held.token.clone())
    }

    /// One token a domain: where two workers ask at once, the later one stays.
    pub(super) fn put(
        &self,
        domain: &str,
        hash: blake3::Hash,
        token: &str,
        life: Option<Duration>,
        now: Instant,
    ) {
        let life = life.unwrap_or(UNSAID).min(LONGEST);
        let until = now + life.saturating_sub(MARGIN.min(life / 10));
        self.lock().insert(domain.to_owned(), Held { token: token.to_owned(), hash, until });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tokens({} ***)", self.lock().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_held_until_shortly_before_its_end() {
        let hash = blake3::hash(b"definition");
        let now = Instant::now();
        for (why, life, held_until) in [
            ("long", Some(3600), 3570),
            ("short", Some(100), 90),
            ("unsaid", None, 270),
            ("no life at all", Some(0), 0),
            ("endless", Some(u64::MAX), 7 * 24 * 3600 - 30),
        ] {
            let tokens = Tokens::default();
            tokens.put("a.example", hash, "token", life.map(Duration::from_secs), now);
            let at = |seconds| tokens.get("a.example", hash, now + Duration::from_secs(seconds));
            assert_eq!(at(held_until), None, "{why}");
            assert_eq!(held_until.checked_sub(1).and_then(at).is_some(), held_until > 0, "{why}");
        }
    }

    #[test]
    fn a_changed_definition_and_another_domain_have_no_token() {
        let (tokens, now) = (Tokens::default(), Instant::now());
        let hash = blake3::hash(b"before");
        tokens.put("a.example", hash, "token", None, now);
        assert_eq!(tokens.get("a.example", blake3::hash(b"after"), now), None);
        assert_eq!(tokens.get("b.example", hash, now), None);
        assert_eq!(tokens.get("a.example", hash, now).as_deref(), Some("token"));
        assert_eq!(format!("{tokens:?}"), "Tokens(1 ***)");
        tokens.forget("a.example");
        assert_eq!(tokens.get("a.example", hash, now), None);
    }
}
