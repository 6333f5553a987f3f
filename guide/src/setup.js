// Settings of the page, and its theme and sidebar before anything is shown. mdBook's own template has this inline,
// which the policy of the service forbids.
"use strict";

const page = document.documentElement;
// Read by searcher.js, toc.js and book.js.
const path_to_root = page.dataset.root;
const default_light_theme = "light";
const default_dark_theme = "navy";
window.path_to_searchindex_js = page.dataset.search;

/** A setting of an earlier visit; `null` if there is none, or the browser keeps none. */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

const is_dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
const default_theme = is_dark ? default_dark_theme : default_light_theme;
page.classList.remove(default_light_theme);
page.classList.add(kept("mdbook-theme") ?? default_theme, "js");

const is_wide = document.body.clientWidth >= 1080;
const is_open = is_wide && (kept("mdbook-sidebar") ?? "visible") === "visible";
document.getElementById("mdbook-sidebar-toggle-anchor").checked = is_open;
page.classList.toggle("sidebar-visible", is_open);
