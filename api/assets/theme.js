// Runs before the page is drawn, so that a chosen theme does not flash and failed downloads are noticed.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the page follows the system.
  }

  /** The files that failed to load; if an import failed, the importing script. */
  const missing = (globalThis.marquisMissing = []);
  const tell = () => {
    let place = document.getElementById("loading");
    if (!place) {
      place = Object.assign(document.createElement("p"), { id: "loading", className: "notice" });
      place.setAttribute("role", "status");
      document.body.prepend(place);
    }
    const again = Object.assign(document.createElement("a"), { href: "", textContent: "load it again" });
    place.replaceChildren(`A part of the page could not be loaded (${missing.join(", ")}): `, again, ".");
    place.classList.remove("loading");
    place.hidden = false;
  };
  addEventListener("error", ({ target }) => {
    const address = target instanceof Element && (target.src || target.href);
    if (!address) return;
    missing.push(new URL(address).pathname.replace("/assets/", ""));
    if (document.body) tell();
    else addEventListener("DOMContentLoaded", tell, { once: true });
  }, true);
})();
