// Draws /openapi.json: the calls by task with examples to run, and every shape once, at the end.

import { byId, element, loaded, prose } from "./dom.js";
import { shapes, typed } from "./shapes.js";
import { trial } from "./trial.js";

/** The tasks in reading order, each with the paths of its calls; the last one takes all others. */
const TASKS = [
  ["Ask about a position", /^\/v1\/\{game\}(\/(moves|solve|normal|perft))?$/],
  ["Look up games and results", /^\/v1\/(games|\{game\}\/(rules|book))$/],
  ["Balance and design set-ups", /^\/v1\/\{game\}\/(balance|design|gallery.*)$/],
  ["Read and review records", /^\/v1\/\{game\}\/(record|review)$/],
  ["Follow jobs", /^\/v1\/jobs/],
  ["Browse studies", /^\/v1\/studies/],
  ["List, download and build tables", /^\/v1\/(tables|\{game\}\/generate)/],
  ["Operate the service", /^\/(livez|readyz|healthz|metrics|openapi\.json)$/],
  ["Open pages and their files", /^/],
];

const idOf = (title) => title.toLowerCase().replace(/[^a-z]+/g, "-");
const isError = (status) => Number(status) >= 400;
const codeOf = (text) => element("code", { textContent: text });

/** The calls of the description, by task. */
function callsByTask({ paths }) {
  const calls = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods)
    .map(([method, call]) => ({ path, method, call, id: `call-${call.operationId}`, task: TASKS.find(([, pattern]) => pattern.test(path)) })));
  return TASKS.map((task) => ({ title: task[0], id: idOf(task[0]), calls: calls.filter((call) => call.task === task) }));
}

/** The usual meaning and body of each error, by status: those of most calls. */
function errorsOf(tasks) {
  const counts = new Map();
  for (const { call } of tasks.flatMap(({ calls }) => calls)) {
    for (const [status, { description, content }] of Object.entries(call.responses).filter(([status]) => isError(status))) {
      const known = counts.get(status) ?? counts.set(status, { content, meanings: new Map() }).get(status);
      known.meanings.set(description, (known.meanings.get(description) ?? 0) + 1);
    }
  }
  const usual = ([status, { content, meanings }]) => [status, { content, meaning: [...meanings].sort((a, b) => b[1] - a[1])[0][0] }];
  return new Map([...counts].sort().map(usual));
}

function table(caption, head, rows) {
  if (!rows.length) return null;
  return element("table", {}, element("caption", { textContent: caption }),
    element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col", textContent: name })))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))));
}

const span = (...parts) => element("span", {}, ...parts);

/** The bodies of a response, by media type; types with the same name of a shape are listed together. */
function bodyOf(content) {
  const kinds = Object.entries(content ?? {});
  if (!kinds.length) return "no body";
  const [[, { schema }]] = kinds;
  const names = kinds.map(([kind]) => kind).join(", ");
  return schema?.$ref ? span(typed(schema), ` (${names})`) : names;
}

function parameterRow({ name, in: place, required, schema, description }) {
  const where = [place === "query" ? null : place, required ? "required" : null].filter(Boolean).join(", ");
  return [span(codeOf(name), where ? ` ${where}` : ""), typed(schema), span(...prose(description ?? ""))];
}

/** The errors of a call in one line: each with a link to its usual meaning, or with its own. */
function errorLine(responses, errors) {
  const own = responses.filter(([status]) => isError(status)).map(([status, { description }], at) => span(at ? ", " : "",
    element("a", { href: `#error-${status}`, textContent: status }),
    ...(description === errors.get(status).meaning ? [] : [" (", ...prose(description), ")"])));
  return own.length ? element("p", { className: "help" }, "Errors: ", ...own) : null;
}

function section(api, errors, { path, method, call, id }) {
  const { summary, description, parameters = [], requestBody } = call;
  const responses = Object.entries(call.responses);
  const chip = { get: "unknown", delete: "loss" }[method] ?? "win";
  const answers = responses.filter(([status]) => !isError(status))
    .map(([status, reply]) => [codeOf(status), span(...prose(reply.description ?? "")), bodyOf(reply.content)]);
  return element("section", { className: "call", id, "aria-labelledby": `${id}-title` },
    element("h3", { id: `${id}-title` }, element("span", { className: `chip ${chip}`, textContent: method.toUpperCase() }), " ", codeOf(path)),
    element("p", {}, ...prose([summary, description].filter(Boolean).join(" "))),
    table("Parameters", ["name", "type", "meaning"], parameters.map(parameterRow)),
    requestBody ? element("p", {}, "Body: ", bodyOf(requestBody.content)) : null,
    table("Responses", ["status", "meaning", "body"], answers),
    errorLine(responses, errors),
    trial(api, { path, method, call }));
}

/** The list of contents: tasks with their calls; closed on a small screen. */
function contents(tasks) {
  const link = (id, ...parts) => element("a", { href: `#${id}` }, ...parts);
  const callLink = ({ id, method, path }) => element("li", {}, link(id, method === "get" ? "" : `${method.toUpperCase()} `, codeOf(path)));
  const list = [...tasks, { title: "Errors", id: "errors", calls: [] }, { title: "Shapes", id: "shapes", calls: [] }];
  const wide = matchMedia("(min-width: 52rem)");
  const box = element("details", { className: "contents", open: wide.matches },
    element("summary", { textContent: "Contents" }),
    element("nav", { "aria-label": "Contents" }, element("ul", {}, ...list.map(({ title, id, calls }) =>
      element("li", {}, link(id, title), calls.length ? element("ul", {}, ...calls.map(callLink)) : null)))));
  wide.addEventListener("change", () => { box.open = wide.matches; });
  return box;
}

/** Opens the target of a link within the page, which may lie in a closed shape, and scrolls to it. */
function reveal() {
  const target = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.matches("details")) target.open = true;
  target.scrollIntoView();
}

function draw(api) {
  const tasks = callsByTask(api);
  const errors = errorsOf(tasks);
  const errorRows = [...errors].map(([status, { content, meaning }]) =>
    [element("code", { id: `error-${status}`, textContent: status }), span(...prose(meaning)), bodyOf(content)]);
  byId("docs").replaceChildren(contents(tasks), element("div", { id: "calls", tabIndex: -1 },
    element("p", {}, ...prose(`${api.info.title} ${api.info.version}. ${api.info.description ?? ""}`)),
    ...tasks.flatMap(({ title, id, calls }) => [element("h2", { id, textContent: title }), ...calls.map((call) => section(api, errors, call))]),
    element("h2", { id: "errors", textContent: "Errors" }),
    element("div", { className: "call" }, table("The usual meaning of each status; a call names its own where it differs", ["status", "meaning", "body"], errorRows)),
    element("h2", { id: "shapes", textContent: "Shapes" }),
    element("div", { className: "shapes" }, ...shapes(api))));
}

async function begin() {
  try {
    draw(await (await fetch("/openapi.json")).json());
  } catch {
    byId("docs").replaceChildren(element("p", { className: "notice", textContent: "The description cannot be read." }));
    return;
  }
  // A second click on the same link does not change the address.
  byId("docs").addEventListener("click", ({ target }) => target.closest?.("a")?.hash === location.hash && reveal());
  window.addEventListener("hashchange", reveal);
  reveal();
}

loaded();
begin();
