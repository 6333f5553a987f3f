//! No cycle of modules in any package: a reader can start with the modules that a module uses.
//!
//! A module uses another if a path in it leads there, in an import, in code or in the arguments of a macro; a
//! re-export (`pub use`) counts for the module that it comes from. Parent and child may use each other, because they
//! form one unit; tests are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// The path of a module from the root of its package; the root is empty.
type Name = Vec<String>;

/// The paths read from a module.
#[derive(Default)]
struct Module {
    /// Absolute paths that it uses.
    used: BTreeSet<Name>,
    /// Imported names, with their absolute paths.
    imported: BTreeMap<String, Name>,
    /// Modules with a glob import.
    globs: BTreeSet<Name>,
}

type Modules = BTreeMap<Name, Module>;

/// Reads the modules of a package from its root file.
fn read(folder: &Path) -> Modules {
    let mut modules = Modules::new();
    let root =
        ["lib.rs", "main.rs"].map(|file| folder.join("src").join(file)).into_iter().find(|f| f.exists());
    if let Some(root) = root {
        read_file(&root, &folder.join("src"), &Vec::new(), &mut modules);
    }
    modules
}

/// Reads a file and the modules that it declares, whose files are in `below`.
fn read_file(file: &Path, below: &Path, name: &Name, modules: &mut Modules) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    read_items(&parsed.items, below, name, modules);
}

fn read_items(items: &[Item], below: &Path, name: &Name, modules: &mut Modules) {
    let mut reader = Reader { at: name, module: Module::default() };
    let mut children = Vec::new();
    for item in items {
        match item {
            Item::Mod(child) if !is_test(&child.attrs) => children.push(child),
            Item::Mod(_) => {}
            item => reader.visit_item(item),
        }
    }
    let module = reader.module;
    modules.insert(name.clone(), module);
    for child in children {
        let word = child.ident.to_string();
        let inner: Name = name.iter().cloned().chain([word.clone()]).collect();
        let folder = below.join(&word);
        match &child.content {
            Some((_, items)) => read_items(items, &folder, &inner, modules),
            None => {
                let files = [below.join(format!("{word}.rs")), folder.join("mod.rs")];
                let file = files.iter().find(|file| file.exists());
                read_file(file.unwrap_or_else(|| panic!("no file of {inner:?}")), &folder, &inner, modules);
            }
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

/// Collects the paths of one module.
struct Reader<'a> {
    at: &'a Name,
    module: Module,
}

impl Reader<'_> {
    /// The absolute path for one that starts with `crate`, `self` or `super`; `None` for others.
    fn absolute(&self, path: &[String]) -> Option<Name> {
        let mut from = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.at.clone(),
            _ => return None,
        };
        let ups = path.iter().take_while(|word| ["self", "super"].contains(&word.as_str()));
        for up in ups.clone() {
            if up == "super" {
                from.pop()?;
            }
        }
        let skipped = ups.count().max(1);
        from.extend(path[skipped..].iter().cloned());
        Some(from)
    }

    fn path(&mut self, path: &[String]) {
        let path = self.absolute(path);
        self.module.used.extend(path);
    }

    fn import(&mut self, tree: &UseTree, before: &[String]) {
        let with = |word: &syn::Ident| before.iter().cloned().chain([word.to_string()]).collect::<Name>();
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &with(&path.ident)),
            UseTree::Name(name) if name.ident == "self" => self.bring(before, before.last().cloned()),
            UseTree::Name(name) => self.bring(&with(&name.ident), Some(name.ident.to_string())),
            UseTree::Rename(name) if name.ident == "self" => {
                self.bring(before, Some(name.rename.to_string()));
            }
            UseTree::Rename(name) => self.bring(&with(&name.ident), Some(name.rename.to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before)),
            UseTree::Glob(_) => {
                let from = self.relative(before);
                self.module.used.insert(from.clone());
                self.module.globs.insert(from);
            }
        }
    }

    /// An import of `path` under a name.
    fn bring(&mut self, path: &[String], name: Option<String>) {
        let path = self.relative(path);
        self.module.used.insert(path.clone());
        self.module.imported.extend(name.map(|name| (name, path)));
    }

    /// The absolute path of an import, where the name of a child needs no `self`; a path into another package is kept
    /// and leads nowhere here.
    fn relative(&self, path: &[String]) -> Name {
        self.absolute(path).unwrap_or_else(|| self.at.iter().chain(path).cloned().collect())
    }

    /// The paths among the tokens of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.path(&std::mem::take(&mut path));
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.path(&std::mem::take(&mut path));
                    self.tokens(group.stream());
                    colons = 0;
                }
                _ => {
                    self.path(&std::mem::take(&mut path));
                    colons = 0;
                }
            }
        }
        self.path(&path);
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.path(&words);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.tokens(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }
}

/// The module that defines the item at a path; re-exports are followed.
fn home(modules: &Modules, path: &[String], steps: usize) -> Option<Name> {
    // Cyclic re-exports do not compile; the limit is for modules with glob imports of each other.
    if steps == 0 {
        return None;
    }
    let depth = (0..=path.len()).rev().find(|&depth| modules.contains_key(&path[..depth]))?;
    let (module, rest) = path.split_at(depth);
    let Some(name) = rest.first() else { return Some(module.to_vec()) };
    let known = &modules[module];
    if let Some(from) = known.imported.get(name).filter(|from| from.as_slice() != path) {
        let whole: Name = from.iter().chain(&rest[1..]).cloned().collect();
        let found = home(modules, &whole, steps - 1);
        // The name of another package is not a module of this one.
        return found.filter(|found| !found.is_empty() || from.len() == 1);
    }
    Some(module.to_vec())
}

/// The modules that each module uses, without itself, its ancestors and its descendants.
fn arrows(modules: &Modules) -> BTreeMap<&Name, BTreeSet<Name>> {
    let uses = |(name, module): (&'_ Name, &'_ Module)| -> BTreeSet<Name> {
        let homes = module.used.iter().filter_map(|path| home(modules, path, 16));
        homes.filter(|other| !other.starts_with(name) && !name.starts_with(other)).collect()
    };
    modules.iter().map(|(name, module)| (name, uses((name, module)))).collect()
}

/// Modules that can be reached from themselves, each with the others of its cycle.
fn rings(modules: &Modules) -> BTreeSet<Vec<String>> {
    let arrows = arrows(modules);
    let reach = |start: &Name| {
        let mut seen = BTreeSet::new();
        let mut todo = vec![start.clone()];
        while let Some(name) = todo.pop() {
            let next = arrows.get(&name).into_iter().flatten();
            todo.extend(next.filter(|next| seen.insert((*next).clone())).cloned());
        }
        seen
    };
    let reached: BTreeMap<&Name, BTreeSet<Name>> = arrows.keys().map(|&name| (name, reach(name))).collect();
    let in_ring = reached.iter().filter(|(name, reached)| reached.contains(**name));
    let ring = |(name, others): (&&Name, &BTreeSet<Name>)| {
        let back = others.iter().filter(|other| reached[other].contains(*name));
        back.map(|other| other.join("::")).collect()
    };
    in_ring.map(ring).collect()
}

/// The modules at the root of a package, each as a whole with all that is below it. Two of them form a cycle even if
/// the two ways between them lead through different files.
fn folders(modules: &Modules) -> Modules {
    let top = |name: &Name| name.iter().take(1).cloned().collect::<Name>();
    let mut folders = Modules::new();
    for (name, used) in arrows(modules) {
        folders.entry(top(name)).or_default().used.extend(used.iter().map(top));
    }
    folders
}

/// The folders of all packages, from the root of the workspace.
fn packages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace holds this package");
    let crates = fs::read_dir(root.join("crates")).expect("crates can be listed");
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.expect("an entry").path()).collect();
    folders.extend(["api", "tests"].map(|name| root.join(name)));
    folders.retain(|folder| folder.join("Cargo.toml").exists());
    folders.sort();
    folders
}

#[test]
fn no_package_has_a_ring_of_modules() {
    let mut read_modules = 0;
    let mut found = Vec::new();
    for folder in packages() {
        let modules = read(&folder);
        read_modules += modules.len();
        for ring in rings(&modules) {
            found.push(format!("{}: {}", folder.display(), ring.join(", ")));
        }
    }
    assert!(read_modules > 150, "only {read_modules} modules were read");
    assert!(found.is_empty(), "these modules use each other in a circle:\n{}", found.join("\n"));
}

/// A reader learns a package folder by folder, from the bottom up.
#[test]
fn no_package_has_a_ring_of_folders() {
    let found = packages().into_iter().flat_map(|folder| {
        let rings = rings(&folders(&read(&folder))).into_iter();
        rings.map(|ring| format!("{}: {}", folder.display(), ring.join(", "))).collect::<Vec<_>>()
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "these folders use each other in a circle:\n{}", found.join("\n"));
}

/// Modules from texts, to test the reader itself.
fn modules(texts: &[(&str, &str)]) -> Modules {
    let mut modules = Modules::new();
    for (name, text) in texts {
        let name: Name = name.split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let items = syn::parse_file(text).expect("a module").items;
        read_items(&items, Path::new("."), &name, &mut modules);
    }
    modules
}

#[test]
fn a_ring_is_found_however_the_way_is_written() {
    let passed_on = ("", "pub use b::Thing;");
    for way in [
        "use crate::b::Thing;",
        "use super::b::{self, Other};",
        "use crate::{c::Nothing, b::{Thing as Other}};",
        "fn f() { let _ = crate::b::thing(); }",
        "fn f() -> crate::b::Thing { todo!() }",
        "fn f() { assert_eq!(1, crate::b::thing()); }",
        "use crate::Thing;",
        "use super::b::*;",
    ] {
        let ring = rings(&modules(&[passed_on, ("a", way), ("b", "use crate::a::x;"), ("c", "")]));
        assert_eq!(ring, BTreeSet::from([vec!["a".to_owned(), "b".to_owned()]]), "{way}");
    }
}

#[test]
fn a_ring_of_folders_may_lead_through_different_files() {
    let tree = [
        ("", "pub use b::first::x;"),
        ("a", ""),
        ("a::first", "use crate::b::first::x;"),
        ("a::second", ""),
        ("b", ""),
        ("b::first", ""),
        ("b::second", "use crate::a::second::y;"),
    ];
    let modules = modules(&tree);
    assert_eq!(rings(&modules), BTreeSet::new());
    assert_eq!(rings(&folders(&modules)), BTreeSet::from([vec!["a".to_owned(), "b".to_owned()]]));
}

#[test]
fn parents_children_and_tests_make_no_ring() {
    let tree = [
        ("", "use a::x; use a::b::y;"),
        ("a", "use b::y; use crate::c::z; #[cfg(test)] mod tests { use crate::d::w; }"),
        ("a::b", "use super::x; use crate::c::z;"),
        ("c", "use std::fmt; use serde::Serialize;"),
        ("d", "use crate::a::x;"),
    ];
    assert_eq!(rings(&modules(&tree)), BTreeSet::new());
}
