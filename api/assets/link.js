// The state in the address: game and position, or a set-up. The address is the link that users share.

const plain = (text) => encodeURIComponent(text.replaceAll(" ", "_")).replaceAll("%2F", "/").replaceAll("%2C", ",");

/** The query of these fields; empty ones are left out. */
export function linkOf(fields) {
  const parts = Object.entries(fields).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return `/?${parts.map(([name, value]) => `${name}=${plain(String(value))}`).join("&")}`;
}

/** The fields of the address; `_` is read as a space. */
export function readLink() {
  const fields = Object.fromEntries(new URLSearchParams(location.search));
  for (const name of ["position", "setup", "edit", "from", "moves"]) fields[name] = fields[name]?.replaceAll("_", " ");
  return fields;
}

/** Puts the fields into the address; further state that must survive a reload is stored with it. */
export function keep(fields, state, replace = false) {
  const link = linkOf(fields);
  const same = link === location.pathname + location.search;
  history[same || replace ? "replaceState" : "pushState"](state, "", link);
}
