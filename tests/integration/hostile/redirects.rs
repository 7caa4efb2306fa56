//! Redirects that lead nowhere.

use super::Case;
use crate::util::{Reply, Site};

#[test]
fn a_redirect_in_a_circle_is_noticed() {
    let site = Site::new();
    site.on("/bad", Reply::redirect("/there", 302));
    site.on("/there", Reply::redirect("/bad", 302));
    let case = Case::of(site, "10s");
    case.fails_with("SITE redirects in a circle; check the url");
    case.was_asked(1);
    assert_eq!(case.site.count("/there"), 1);
}

#[test]
fn a_redirect_to_itself_is_followed_not_even_once() {
    let case = Case::new(Reply::redirect("/bad", 301), "10s");
    case.fails_with("SITE redirects in a circle; check the url");
    case.was_asked(1);
}

#[test]
fn redirects_to_ever_new_urls_end_after_ten() {
    let site = Site::new();
    site.on_fn("/bad", |asked| {
        let number: u32 = asked.param("n").map_or(0, |n| n.parse().unwrap());
        Reply::redirect(&format!("/bad?n={}", number + 1), 302)
    });
    let case = Case::of(site, "10s");
    case.fails_with("SITE redirects more than 10 times");
    case.was_asked(11);
}

#[test]
fn a_redirect_to_a_file_is_refused() {
    let case = Case::new(Reply::redirect("file:///etc/passwd", 302), "10s");
    case.fails_with("refused to go to a file: url; only http and https are followed");
    case.was_asked(1);
}

#[test]
fn a_redirect_to_no_url_is_an_error() {
    let case = Case::new(Reply::redirect("http://[", 302), "10s");
    case.fails_with("SITE redirects to something that is not a url");
    case.was_asked(1);
}
