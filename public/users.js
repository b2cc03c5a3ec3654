// The list of users follows what others change. The server makes the list: this file asks for the page again when
// something has changed, and puts what differs into the page, so that pages, order and search are the server's, and
// whatever has the focus, or has been typed, stays. The page works without this file.
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

  // What makes an element the same one: a user's link, otherwise its kind.
  const keyOf = (node) =>
    node.querySelector(":scope:is(li) > a")?.getAttribute("href") ?? `${node.nodeName}.${node.className}`;

  // Makes one element equal to another; its descendants are kept where they can be. Returns whether anything changed.
  function morph(old, fresh) {
    if (old.isEqualNode(fresh)) return false;
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    if (!old.firstElementChild || !fresh.firstElementChild) {
      old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
      return true;
    }
    const kept = new Map([...old.children].map((child) => [keyOf(child), child]));
    const wanted = [...fresh.children].map((child) => {
      const mine = kept.get(keyOf(child));
      kept.delete(keyOf(child));
      if (mine) morph(mine, child);
      return mine ?? document.importNode(child, true);
    });
    // First away with what is gone, so that what stays is not moved: moving an element takes the focus from it.
    for (const child of [...old.children]) if (!wanted.includes(child)) child.remove();
    let place = old.firstElementChild;
    for (const child of wanted) {
      if (child === place) place = place.nextElementSibling;
      else old.insertBefore(child, place);
    }
    return true;
  }

  function show(page) {
    const fresh = page.getElementById("list");
    if (!fresh) return false;
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    const hasChanged = morph(list, fresh);
    if (focused && document.activeElement !== focused) {
      (focused.isConnected ? focused : list).focus({ preventScroll: true });
    }
    return hasChanged;
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
