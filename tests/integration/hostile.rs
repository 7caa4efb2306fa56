//! Sites that answer wrongly, endlessly, slowly, or to do harm. Each gets one clear error, and nobody
//! else notices.

mod all_at_once;
mod broken;
mod large;
mod redirects;
mod slow;
mod values;

use crate::util::{Daemon, Hermes, Reply, Site, is_emulated};

/// A small machine has this much for Hermes, whatever a site sends.
const MOST_MEMORY_KB: u64 = 64 * 1024;

/// Under emulation the memory is the emulator's, and says nothing.
#[track_caller]
fn stays_small(daemon: &Daemon) {
    let peak = daemon.rss_peak_kb();
    assert!(peak < MOST_MEMORY_KB || is_emulated(), "{peak} KiB");
}

/// Reads a list of records; more YAML may follow.
fn source(name: &str, url: &str, timeout: &str) -> String {
    format!(
        "name: {name}\nurl: {url}\ntable: {name}\nschedule: hourly\nexecution: {{ timeout: {timeout} }}\n\
         response: {{ fields: [ {{ source: id, target: id }} ] }}\n"
    )
}

/// One daemon with two sources: `bad` gets the reply, `good` is healthy.
struct Case {
    hermes: Hermes,
    site: Site,
    daemon: Daemon,
}

impl Case {
    fn new(reply: Reply, timeout: &str) -> Case {
        let site = Site::new();
        site.on("/bad", reply);
        Case::of(site, timeout)
    }

    /// For a site that has its `/bad` already.
    fn of(site: Site, timeout: &str) -> Case {
        let bad = source("bad", &site.url("/bad"), timeout);
        Case::with(site, &bad)
    }

    fn with(site: Site, bad: &str) -> Case {
        site.on("/good", Reply::json(r#"[{"id":1},{"id":2}]"#));
        let hermes = Hermes::new();
        hermes.write_source("bad.yaml", bad);
        hermes.write_source("good.yaml", &source("good", &site.url("/good"), "30s"));
        let daemon = hermes.start(&[]);
        Case { hermes, site, daemon }
    }

    /// How the run of `bad` ended; in `fetchlogs`, and but for what the site said in `status`. `SITE`
    /// in `want` is host and port.
    #[track_caller]
    fn fails_with(&self, want: &str) {
        let message = self.daemon.until_some("the failure", || self.message("failed"));
        assert_eq!(message, want.replace("SITE", &self.site.authority()));
        let status = self.hermes.command(&["status", "bad", "--json"]).json();
        assert_eq!(status["last_error"], message.split("; it says: ").next().unwrap(), "{status}");
        assert_eq!(status["state"], "backoff", "{status}");
        assert_eq!(self.hermes.count("bad"), 0, "nothing is stored of a page that is not whole");
        self.harms_nobody();
    }

    #[track_caller]
    fn harms_nobody(&self) {
        self.daemon.until("the healthy source is stored", || self.hermes.count("good") == 2);
        stays_small(&self.daemon);
    }

    fn message(&self, status: &str) -> Option<String> {
        self.hermes.try_query(&format!(
            "SELECT message FROM fetchlogs WHERE source_name = 'bad' AND status = '{status}'"
        ))
    }

    #[track_caller]
    fn was_asked(&self, times: usize) {
        assert_eq!(self.site.count("/bad"), times, "{:?}", self.site.asked_paths());
    }
}
