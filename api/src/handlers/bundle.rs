//! A script with the modules that it imports, in one text, so that a browser requests one file.
//!
//! Each module becomes a function that is called once and returns the exports, before the modules that import them.
//! Imports stand on one line and name what they import: `import { api } from "./api.js";`. Comments and indentation are
//! left out; so no text of a script has several lines.

/// A script and the modules that it imports, directly or not.
///
/// * `text_of`: the text of a module.
///
/// # Panics
/// A module is missing, or modules import each other in a circle.
pub(super) fn bundle<'t>(script: &'t str, text_of: &dyn Fn(&str) -> Option<&'t str>) -> String {
    let mut bundle = Bundle { text_of, modules: Vec::new(), text: String::new() };
    bundle.add(script);
    bundle.text
}

struct Bundle<'t, 'f> {
    text_of: &'f dyn Fn(&str) -> Option<&'t str>,
    modules: Vec<Module<'t>>,
    text: String,
}

struct Module<'t> {
    name: &'t str,
    /// Whether its text is in the bundle, after those of the modules that it imports.
    is_complete: bool,
}

impl<'t> Bundle<'t, '_> {
    /// Adds a module and those that it imports; returns its number.
    fn add(&mut self, name: &'t str) -> usize {
        if let Some(number) = self.modules.iter().position(|module| module.name == name) {
            assert!(self.modules[number].is_complete, "{name} imports itself by way of others");
            return number;
        }
        let number = self.modules.len();
        self.modules.push(Module { name, is_complete: false });
        let source = (self.text_of)(name).unwrap_or_else(|| panic!("no module {name}"));
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in without_comments(source) {
            if let Some((names, module)) = import(line) {
                let from = self.add(module);
                body += &format!("const {{{names}}} = module{from};");
            } else if let Some(exported) = line.strip_prefix("export ") {
                exports.push(exported_name(exported));
                // `export { name };` names what stands elsewhere.
                body += if exported.starts_with('{') { "" } else { exported };
            } else {
                body += line.trim_start();
            }
            body.push('\n');
        }
        let exports = exports.join(", ");
        self.text +=
            &format!("// {name}\nconst module{number} = (() => {{\n{body}return {{ {exports} }};\n}})();\n");
        self.modules[number].is_complete = true;
        number
    }
}

/// The lines of a module outside comments, which share no line with code.
fn without_comments(source: &str) -> impl Iterator<Item = &str> {
    let mut is_within = false;
    source.lines().filter(move |line| {
        let text = line.trim();
        let begins = text.starts_with("/**");
        let is_comment = is_within || begins || text.starts_with("//");
        is_within = (is_within || begins) && !text.ends_with("*/");
        !is_comment
    })
}

/// The imported names and the module of an import.
fn import(line: &str) -> Option<(&str, &str)> {
    let (names, module) = line.strip_prefix("import {")?.split_once("} from \"./")?;
    Some((names, module.strip_suffix("\";")?))
}

/// The name that an export declares: `const WIDTH = 3;`, `async function ask() {`, `{ ask };`.
fn exported_name(export: &str) -> &str {
    let kinds = ["{", "async ", "function", "*", "const ", "class "];
    let name = kinds.iter().fold(export, |rest, kind| rest.strip_prefix(kind).unwrap_or(rest).trim_start());
    let end = name.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(name.len());
    &name[..end]
}

#[cfg(test)]
mod tests {
    use super::bundle;

    #[test]
    fn a_module_stands_once_and_before_those_that_import_it() {
        let text_of = |name: &str| match name {
            "app.js" => Some("import { b } from \"./b.js\";\nimport { C } from \"./c.js\";\nb(C);\n"),
            "b.js" => Some("import { C } from \"./c.js\";\nexport async function b(x) { return x + C; }\n"),
            "c.js" => Some(
                "// A comment\nconst own = 1;\n/** One */\nexport const C = own;\n/**\n * Two\n */\nexport { own };\n",
            ),
            _ => None,
        };
        let expected = "\
// c.js
const module2 = (() => {
const own = 1;
const C = own;

return { C, own };
})();
// b.js
const module1 = (() => {
const { C } = module2;
async function b(x) { return x + C; }
return { b };
})();
// app.js
const module0 = (() => {
const { b } = module1;
const { C } = module2;
b(C);
return {  };
})();
";
        assert_eq!(bundle("app.js", &text_of), expected);
    }

    #[test]
    fn the_indentation_of_scripts_is_left_out() {
        let text_of = |_: &str| Some("function f() {\n  if (g) {\n    h();\n  }\n}\n");
        assert!(bundle("a.js", &text_of).contains("function f() {\nif (g) {\nh();\n}\n}\n"));
    }

    #[test]
    #[should_panic(expected = "imports itself")]
    fn modules_that_import_each_other_are_refused() {
        let text_of = |name: &str| match name {
            "a.js" => Some("import { b } from \"./b.js\";\n"),
            _ => Some("import { a } from \"./a.js\";\n"),
        };
        bundle("a.js", &text_of);
    }
}
