// The list of users follows what others change. The server makes the list: this file asks for the page again when
// something has changed, and shows its list, so that pages, order and search are the server's. The rest of the page
// stays, with whatever has been typed, and the focus stays where it is. The page works without this file.
"use strict";

(() => {
  const list = document.getElementById("list");
  const news = document.getElementById("news"); // read out by screen readers when its text changes
  if (!list || !news || !window.EventSource) return;

  const pause = 1000;         // ms: the page is asked for at most this often…
  const spread = 250;         // ms: …and not by all readers at the same moment
  const reconnectAfter = 3000; // ms: if the server refuses; a lost connection is the browser's business
  const restAfter = 60_000;   // ms: browsers have few connections to a server, and a hidden page needs none

  let last = news.dataset.after;
  let source, resting, reconnecting;

  // MARK: The list

  // Puts the server's list in the place of the one that is shown, and the focus back on the same user, or on the list
  // if that user is gone. Returns whether anything has changed.
  function show(page) {
    const fresh = page.getElementById("list");
    if (!fresh || list.isEqualNode(fresh)) return false;
    const hasFocus = list.contains(document.activeElement);
    const place = document.activeElement.getAttribute("href");
    list.replaceChildren(...document.importNode(fresh, true).childNodes);
    if (hasFocus) {
      const same = [...list.querySelectorAll("a")].find((link) => link.getAttribute("href") === place);
      (same ?? list).focus({ preventScroll: true });
    }
    return true;
  }

  // MARK: What has happened

  const sentences = {
    added: (name) => `${name} was added.`,
    renamed: (name) => `${name} has a new name.`,
    removed: (name) => `${name} was removed.`,
    reset: () => "The list has been updated.",
  };
  let told = [];
  let isBusy = false;
  let lastUpdate = -Infinity;

  function note(event) {
    if (event.lastEventId) last = event.lastEventId;
    told.push(sentences[event.type](JSON.parse(event.data).name));
    if (!isBusy) update();
  }

  async function update() {
    isBusy = true;
    const wait = Math.max(0, lastUpdate + pause - performance.now()) + Math.random() * spread;
    await new Promise((resolve) => setTimeout(resolve, wait));
    const telling = told;
    told = [];
    try {
      const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
      if (!response.ok) throw new Error(response.statusText);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (show(page)) news.textContent = telling.length > 3 ? `${telling.length} changes.` : telling.join(" ");
    } catch {
      told = [...telling, ...told]; // the server is away: again, after a pause
    }
    lastUpdate = performance.now();
    if (told.length > 0) update(); else isBusy = false;
  }

  // MARK: The stream

  function connect() {
    clearTimeout(reconnecting);
    if (source && source.readyState !== EventSource.CLOSED) return;
    const url = new URL(news.dataset.events, location.href);
    url.searchParams.set("after", last);
    source = new EventSource(url);
    for (const type of Object.keys(sentences)) source.addEventListener(type, note);
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) reconnecting = setTimeout(connect, reconnectAfter);
    });
  }

  function disconnect() {
    clearTimeout(reconnecting);
    source?.close();
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(resting);
    if (document.hidden) resting = setTimeout(disconnect, restAfter); else connect();
  });
  window.addEventListener("pagehide", disconnect);
  window.addEventListener("pageshow", connect); // also when the back button restores the page
})();
