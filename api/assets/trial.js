// An example of a call in the description of the API: a command to copy, and a button that sends it.

import { element } from "./dom.js";

/** Responses are cut to this many characters. */
const MOST = 20_000;

/** The example of a schema: its own, or one of the examples of its fields. */
function exampleOf(api, schema) {
  const named = schema.$ref ? api.components.schemas[schema.$ref.split("/").at(-1)] : schema;
  if (named.example !== undefined) return named.example;
  const fields = Object.entries(named.properties ?? {}).filter(([, { example }]) => example !== undefined);
  return Object.fromEntries(fields.map(([name, { example }]) => [name, example]));
}

/** The example request of a call. */
function requestOf(api, { path, method, call }) {
  const given = (call.parameters ?? []).filter(({ example }) => example !== undefined);
  const valueOf = (kind) => given.filter((one) => one.in === kind).map(({ name, example }) => [name, String(example)]);
  const filled = valueOf("path").reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);
  const query = new URLSearchParams(valueOf("query")).toString().replaceAll("%3A", ":");
  const schema = call.requestBody?.content["application/json"]?.schema;
  return {
    address: query ? `${filled}?${query}` : filled,
    method: method.toUpperCase(),
    headers: Object.fromEntries([...valueOf("header"), ...(schema ? [["Content-Type", "application/json"]] : [])]),
    body: schema && JSON.stringify(exampleOf(api, schema)),
  };
}

/** A text as one word of a shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The request as a command. */
function commandOf({ address, method, headers, body }) {
  const parts = ["curl", ...(method === "DELETE" ? ["-X DELETE"] : [])];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body) parts.push(`-d ${quoted(body)}`);
  return [...parts, quoted(location.origin + address)].join(" ");
}

/** Whether a reader can look at the response, and the request changes nothing. */
function isRunnable({ method, call }) {
  const kinds = Object.keys(call.responses["200"]?.content ?? {});
  return method !== "delete" && kinds.some((kind) => /json|openmetrics/.test(kind));
}

/** A response as text: JSON with indents, a text as it is. */
function shown(text, kind) {
  const full = /json/.test(kind) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return full.length > MOST ? `${full.slice(0, MOST)}\n…` : full;
}

async function send({ address, ...options }, status, reply) {
  status.textContent = "Waiting …";
  try {
    const response = await fetch(address, options);
    const text = await response.text();
    status.textContent = `${response.status} ${response.statusText}`;
    reply.textContent = shown(text, response.headers.get("content-type") ?? "");
    reply.hidden = false;
  } catch {
    status.textContent = "No response.";
    reply.hidden = true;
  }
}

/** The example of a call, with a button if it can be run here. */
export function trial(api, one) {
  const request = requestOf(api, one);
  const name = `${request.method} ${one.path}`;
  const region = (properties) => element("pre", { tabIndex: 0, role: "region", ...properties });
  const command = region({ "aria-label": `Example of ${name}`, textContent: commandOf(request) });
  if (!isRunnable(one)) return element("div", { className: "trial" }, command);
  const status = element("span", { role: "status" });
  const reply = region({ "aria-label": `Response to ${name}`, hidden: true });
  const run = element("button", { type: "button", textContent: "Run", "aria-label": `Run ${name}`, onclick: () => send(request, status, reply) });
  return element("div", { className: "trial" }, command, element("div", { className: "row" }, run, status), reply);
}
