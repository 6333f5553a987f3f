//! The guide, as files of a folder.

use std::fs;

use marquis_api::Config;

use crate::service::{get, ready, settings};

/// The link to the guide in a page.
const LINK: &str = "<a href=\"/guide/\">Guide</a>";

#[actix_web::test]
async fn the_guide_is_sent_with_the_policy_of_the_page_and_nothing_outside_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let guide = folder.path().join("guide");
    fs::create_dir_all(guide.join("play")).unwrap();
    for (name, text) in [
        ("guide/index.html", "first"),
        ("guide/play/board.html", "page"),
        ("guide/toc.js", "script"),
        ("guide/.hidden", "hidden"),
        ("secret.txt", "secret"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let state = ready(Config { guide: Some(guide), ..settings() });
    for (address, kind, text) in [
        ("/guide/", "text/html; charset=utf-8", "first"),
        ("/guide/index.html", "text/html; charset=utf-8", "first"),
        ("/guide/play/board.html", "text/html; charset=utf-8", "page"),
        ("/guide/toc.js", "text/javascript", "script"),
    ] {
        let sent = get(&state, address).await;
        assert_eq!((sent.status.as_u16(), sent.text.as_str()), (200, text), "{address}");
        assert_eq!(sent.header("content-type"), kind, "{address}");
        assert_eq!(sent.header("cache-control"), "no-cache", "{address}");
        let policy = get(&state, "/").await.header("content-security-policy").to_owned();
        assert_eq!(sent.header("content-security-policy"), policy, "{address}");
    }
    for other in
        [".hidden", "play", "..%2fsecret.txt", "%2e%2e/secret.txt", "play/..%2f..%2fsecret.txt", "x/y"]
    {
        assert_eq!(get(&state, &format!("/guide/{other}")).await.status, 404, "{other}");
    }
    for page in ["/", "/docs/"] {
        assert!(get(&state, page).await.text.contains(LINK), "{page} links to the guide");
    }
    let moved = get(&state, "/guide").await;
    assert_eq!((moved.status.as_u16(), moved.header("location")), (307, "/guide/"));
}

#[actix_web::test]
async fn where_no_folder_is_named_there_is_no_guide() {
    let state = ready(settings());
    for address in ["/guide/", "/guide/index.html", "/guide/play/board.html"] {
        assert_eq!(get(&state, address).await.status, 404, "{address}");
    }
    for page in ["/", "/docs/"] {
        let text = get(&state, page).await.text;
        assert!(!text.contains("/guide/"), "{page} has no link to the guide");
    }
}
