//! Everything of the other files in one daemon, with the two workers that it has by default.

use super::{source, stays_small};
use crate::util::{Hermes, Reply, Site};
use std::time::Duration;

#[test]
fn a_healthy_source_goes_on_while_every_kind_of_hostile_one_runs() {
    let site = Site::new();
    let hermes = Hermes::new();
    let hostile = [
        ("endless", Reply::endless("["), "is larger than 16 MiB"),
        ("slow", Reply::drip(vec![b' '; 10_000], Duration::from_millis(100)), "had not finished"),
        ("hanging", Reply::hang(), "had not finished"),
        ("short", Reply::cut_short("[", 1_000), "cut short"),
        ("bomb", Reply::gzip_bomb(1 << 30), "is larger than 16 MiB"),
        ("deep", Reply::json(r#"[{"id":"#.to_owned() + &"[".repeat(200_000)), "cut off"),
        ("html", Reply::text("text/html", "<html>"), "not JSON"),
        ("utf8", Reply::bytes("application/json", &b"[\"\xff\"]"[..]), "UTF-8"),
        ("circle", Reply::redirect("/circle", 302), "in a circle"),
        ("garbage", Reply::raw("\0\x01\x02\r\n\r\n"), "no valid HTTP"),
        ("header", Reply::json("[]").header("X-Long", &"x".repeat(1 << 20)), "headers"),
    ];
    for (name, reply, _) in &hostile {
        site.on(&format!("/{name}"), reply.clone());
        // What hangs ends by its timeout; what is large may take a busy machine longer.
        let timeout = if matches!(*name, "slow" | "hanging") { "1s" } else { "20s" };
        hermes.write_source(&format!("{name}.yaml"), &source(name, &site.url(&format!("/{name}")), timeout));
    }
    site.on("/good", Reply::json(r#"[{"id":1}]"#));
    let good = source("good", &site.url("/good"), "20s").replace("hourly", "interval:1s");
    hermes.write_source("good.yaml", &good);
    let daemon = hermes.start(&[]);

    for (name, _, want) in &hostile {
        let message = daemon.until_some(&format!("the failure of {name}"), || {
            hermes.try_query::<String>(&format!(
                "SELECT message FROM fetchlogs WHERE source_name = '{name}' AND status = 'failed'"
            ))
        });
        assert!(message.contains(want), "{name}: {message}");
        assert_eq!(site.count(&format!("/{name}")), 1, "{name}");
        assert_eq!(hermes.count(name), 0, "{name}");
    }
    let before = site.count("/good");
    daemon.until("the healthy source is asked again", || site.count("/good") > before + 1);
    assert_eq!(hermes.count("good"), 1);
    assert_eq!(hermes.query::<i64>("SELECT count(*) FROM retries"), hostile.len() as i64);
    stays_small(&daemon);
    assert!(daemon.stop().success());
}
