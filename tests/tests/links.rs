//! The links of all Markdown pages: files that exist, and headings that they have.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Addresses of the service: the guide is served by the same program.
const SERVED: [&str; 4] = ["/docs/", "/rules/", "/studies/", "/openapi.json"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace holds this package").to_owned()
}

/// All Markdown files below `folder`, by their path from the root.
fn pages(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && !["target", "corpus", "node_modules"].contains(&&*name)
        {
            pages(&path, found);
        } else if name.ends_with(".md") {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            found.insert(path.strip_prefix(root()).expect("below the root").to_owned(), text);
        }
    }
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().to_lowercase();
    let kept = letters.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The targets of a page's links and pictures, and the anchors of its headings.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut links, mut anchors) = (Vec::new(), Vec::new());
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push(dest_url.to_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(part) | Event::Code(part) => {
                heading.iter_mut().for_each(|heading| heading.push_str(&part));
            }
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take().map(|heading| anchor(&heading))),
            _ => {}
        }
    }
    (links, anchors)
}

/// `path` without `.` and `..`; `None` if it leaves the repository.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => parts.pop().then_some(())?,
            Component::Normal(name) => parts.push(name),
            _ => {}
        }
    }
    Some(parts)
}

/// The fault of a link of `page`; `None` if it leads somewhere.
fn fault(page: &Path, link: &str, pages: &BTreeMap<PathBuf, (Vec<String>, Vec<String>)>) -> Option<String> {
    let is_guide = page.starts_with("guide");
    if link.contains("://") || (is_guide && SERVED.iter().any(|served| link.starts_with(served))) {
        return None;
    }
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.parent().unwrap_or(Path::new(""));
    let target = if file.is_empty() { Some(page.to_owned()) } else { plain(&folder.join(file)) };
    let Some(target) = target.filter(|target| root().join(target).exists()) else {
        return Some("no such file".to_owned());
    };
    if is_guide && !target.starts_with("guide/src") {
        return Some("outside the guide, so not in the built one".to_owned());
    }
    let anchors = pages.get(&target).map(|(_, anchors)| anchors);
    let is_found =
        fragment.is_empty() || anchors.is_some_and(|anchors| anchors.iter().any(|own| own == fragment));
    (!is_found).then(|| format!("no heading #{fragment} in {}", target.display()))
}

#[test]
fn every_link_of_a_page_leads_to_a_file_and_a_heading() {
    let mut texts = BTreeMap::new();
    pages(&root(), &mut texts);
    let pages: BTreeMap<_, _> = texts.iter().map(|(path, text)| (path.clone(), read(text))).collect();
    let checked: usize = pages.values().map(|(links, _)| links.len()).sum();
    let faults: Vec<String> = pages
        .iter()
        .flat_map(|(page, (links, _))| links.iter().map(move |link| (page, link)))
        .filter_map(|(page, link)| {
            Some(format!("{}: {link}: {}", page.display(), fault(page, link, &pages)?))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 100, "only {checked} links were found");
}

#[test]
fn every_page_of_the_guide_is_in_its_contents() {
    let mut texts = BTreeMap::new();
    pages(&root().join("guide/src"), &mut texts);
    let contents = Path::new("guide/src/SUMMARY.md");
    let (links, _) = read(&texts[contents]);
    let listed: Vec<PathBuf> = links.iter().map(|link| Path::new("guide/src").join(link)).collect();
    let missing: Vec<_> = texts.keys().filter(|page| *page != contents && !listed.contains(page)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The paths of files and folders of code that a text names in code marks, such as `engine/src/ask/mod.rs`.
fn named_paths(text: &str) -> impl Iterator<Item = &str> {
    let marked = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        let plain = word.chars().all(|letter| letter.is_ascii_alphanumeric() || "/_.-".contains(letter));
        plain && word.split('/').any(|part| ["src", "tests", "crates"].contains(&part)) && word.contains('/')
    };
    marked.filter(is_path)
}

/// Texts with comments about code: Markdown pages and the documentation of Rust files.
fn texts(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let skipped = ["target", "corpus", "node_modules", "CHANGELOG.md"].contains(&name.as_str());
        if skipped || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            texts(&path, found);
        } else if name.ends_with(".md") {
            found.push((path.clone(), fs::read_to_string(&path).expect("a page")));
        } else if name.ends_with(".rs") {
            let code = fs::read_to_string(&path).expect("a file of code");
            let comments = code.lines().map(str::trim_start).filter(|line| line.starts_with("//"));
            found.push((path.clone(), comments.collect::<Vec<_>>().join("\n")));
        }
    }
}

#[test]
fn files_of_code_that_a_text_names_exist() {
    let mut found = Vec::new();
    texts(&root(), &mut found);
    let mut count = 0;
    let mut faults = Vec::new();
    for (file, text) in &found {
        let near = file.ancestors().skip(1).take_while(|folder| folder.starts_with(root()));
        let places: Vec<PathBuf> = near.map(Path::to_owned).chain([root().join("crates")]).collect();
        for path in named_paths(text) {
            count += 1;
            if !places.iter().any(|place| place.join(path).exists()) {
                faults.push(format!("{}: {path}", file.display()));
            }
        }
    }
    assert!(count > 100, "only {count} paths were found");
    assert!(faults.is_empty(), "these files do not exist:\n{}", faults.join("\n"));
}
