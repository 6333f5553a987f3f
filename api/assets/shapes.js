// The shapes of requests and responses in the description of the API.

import { element, prose } from "./dom.js";

const anchor = (name) => `shape-${name}`;
const shapeOf = (reference) => reference.split("/").at(-1);

const joined = (parts, between) => parts.flatMap((part, at) => (at ? [between, part] : [part]));

/** The readable name of a type; a named schema becomes a link. */
export function typed(schema) {
  if (!schema) return "anything";
  if (schema.$ref) return element("a", { href: `#${anchor(shapeOf(schema.$ref))}`, textContent: shapeOf(schema.$ref) });
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices) return element("span", {}, ...joined(choices.map(typed), schema.allOf ? " and " : " or "));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const names = [schema.type ?? "anything"].flat();
  if (names.includes("array")) return element("span", {}, "list of ", typed(schema.items), names.includes("null") ? " or null" : "");
  return names.join(" or ");
}

/** Every field of a schema, and the schemas that it extends. */
function fields(schema) {
  const extended = (schema.allOf ?? []).flatMap((part) => (part.$ref ? [[element("em", { textContent: "all of" }), typed(part), ""]] : fields(part)));
  const own = Object.entries(schema.properties ?? {}).map(([name, one]) => [
    element("code", { textContent: name }),
    element("span", {}, typed(one), schema.required?.includes(name) ? "" : " (optional)"),
    element("span", {}, ...prose(one.description ?? "")),
  ]);
  return [...extended, ...own];
}

function shape(name, schema) {
  const rows = fields(schema).map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
  const head = ["field", "type", "meaning"].map((title) => element("th", { scope: "col", textContent: title }));
  return element("details", { className: "call", id: anchor(name) },
    element("summary", {}, element("code", { textContent: name })),
    element("p", {}, ...prose(schema.description ?? "")),
    rows.length
      ? element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows))
      : element("p", {}, typed(schema)));
}

/** Every shape of the description, closed until a link opens it. */
export const shapes = (api) => Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => shape(name, schema));
