// Draws /openapi.json: every call with its parameters, bodies and responses, and the schemas they share.

import { byId, element, loaded, prose } from "./dom.js";

const anchor = (name) => `shape-${name}`;
const shapeOf = (reference) => reference.split("/").at(-1);

/** The readable name of a type; a named schema becomes a link. */
function typed(schema) {
  if (!schema) return "anything";
  if (schema.$ref) return element("a", { href: `#${anchor(shapeOf(schema.$ref))}`, textContent: shapeOf(schema.$ref) });
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices) return element("span", {}, ...joined(choices.map(typed), schema.allOf ? " and " : " or "));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const names = [schema.type ?? "anything"].flat();
  if (names.includes("array")) return element("span", {}, "list of ", typed(schema.items), names.includes("null") ? " or null" : "");
  return names.join(" or ");
}

function joined(parts, between) {
  return parts.flatMap((part, at) => (at ? [between, part] : [part]));
}

function table(rows, head) {
  if (!rows.length) return null;
  return element("table", {},
    element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { textContent: name })))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((content) => element("td", {}, content ?? ""))))));
}

function content(media) {
  const parts = Object.entries(media ?? {}).map(([kind, { schema }]) => element("span", {}, `${kind}: `, typed(schema)));
  return element("span", {}, ...joined(parts, ", "));
}

function operation(path, method, { summary, description, parameters = [], requestBody, responses }) {
  return element("section", { className: "call" },
    element("h2", {}, element("span", { className: "chip win", textContent: method.toUpperCase() }), " ", element("code", { textContent: path })),
    element("p", {}, ...prose([summary, description].filter(Boolean).join(" "))),
    table(parameters.map((one) => [element("code", { textContent: one.name }), one.in + (one.required ? ", required" : ""), typed(one.schema), element("span", {}, ...prose(one.description ?? ""))]),
      ["parameter", "in", "type", "meaning"]),
    requestBody ? element("p", {}, "Body: ", content(requestBody.content)) : null,
    table(Object.entries(responses).map(([status, reply]) => [element("code", { textContent: status }), element("span", {}, ...prose(reply.description ?? "")), content(reply.content)]),
      ["status", "meaning", "body"]));
}

/** Every property of a schema, including those of the schemas it extends. */
function properties(schema) {
  const own = Object.entries(schema.properties ?? {}).map(([name, one]) => [
    element("code", { textContent: name }), element("span", {}, typed(one), schema.required?.includes(name) ? "" : " (optional)"), element("span", {}, ...prose(one.description ?? "")),
  ]);
  return [...(schema.allOf ?? []).flatMap((part) => (part.$ref ? [[element("em", { textContent: "all of" }), typed(part), ""]] : properties(part))), ...own];
}

function shape(name, schema) {
  const rows = properties(schema);
  return element("section", { className: "call", id: anchor(name) },
    element("h2", {}, element("code", { textContent: name })),
    element("p", {}, ...prose(schema.description ?? "")),
    rows.length ? table(rows, ["field", "type", "meaning"]) : element("p", {}, typed(schema)));
}

async function begin() {
  const place = byId("docs");
  try {
    const api = await (await fetch("/openapi.json")).json();
    const order = (api.tags ?? []).map(({ name }) => name);
    const calls = Object.entries(api.paths)
      .flatMap(([path, methods]) => Object.entries(methods).map(([method, call]) => ({ path, method, call })))
      .sort((a, b) => order.indexOf(a.call.tags?.[0]) - order.indexOf(b.call.tags?.[0]))
      .map(({ path, method, call }) => operation(path, method, call));
    place.replaceChildren(
      element("p", {}, ...prose(`${api.info.title} ${api.info.version}. ${api.info.description ?? ""}`)),
      element("p", {}, element("a", { href: "/openapi.json", textContent: "openapi.json" })),
      ...calls, element("h1", { textContent: "Shapes" }),
      ...Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => shape(name, schema)));
  } catch {
    place.replaceChildren(element("p", { className: "notice", textContent: "The description cannot be read." }));
  }
}

loaded();
begin();
