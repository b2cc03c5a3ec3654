// The live view of MVVM's login: the page has a view model of its own on the server. Its fields are bound to that both
// ways, and it shows each of its states. Every page works without this file.
"use strict";

(() => {
  const form = document.querySelector("form[data-model]");
  if (!form || !window.EventSource) return;
  const button = form.querySelector("button[type=submit]");
  const label = button.textContent;
  const error = document.getElementById("error");
  const fields = [...form.elements].filter((field) => field.name);
  let url, source; // of the view model, while there is one
  let shown = {}; // its last state
  let sending = Promise.resolve(); // what is typed arrives in order

  function show(state) {
    for (const field of fields) if (state[field.name] !== shown[field.name]) field.value = state[field.name];
    shown = state;
    const { isLoading, errorMessage, isLoggedIn } = state;
    button.disabled = isLoading;
    if (isLoading) button.setAttribute("aria-busy", "true"); else button.removeAttribute("aria-busy");
    button.textContent = isLoading ? form.dataset.busy : label;
    error.textContent = errorMessage ?? "";
    error.hidden = !errorMessage;
    document.title = document.title.replace(/^(Error: )?/, errorMessage ? "Error: " : "");
    if (isLoggedIn) leave();
  }

  // The way home is a form, because it gives this browser its cookie.
  function leave() {
    const way = document.createElement("form");
    way.method = "post";
    way.action = `${url}/home`;
    document.body.append(way);
    end();
    way.submit();
  }

  // From now on the form is sent as it is without this file.
  function end() {
    source?.close();
    url = null;
    delete form.dataset.follows;
  }

  // What is typed goes to the view model.
  function send(method) {
    const body = new URLSearchParams(fields.map((field) => [field.name, field.value]));
    sending = sending.then(() => url && fetch(url, { method, body })).catch(() => null);
    return sending;
  }

  async function begin() {
    const response = await fetch(form.dataset.model, { method: "POST" });
    if (!response.ok) return;
    url = response.headers.get("Location");
    shown = { email: "", password: "" };
    if (fields.some((field) => field.value)) send("PUT");
    source = new EventSource(url);
    source.addEventListener("state", (event) => show(JSON.parse(event.data)));
    source.addEventListener("open", () => { form.dataset.follows = url; });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) end();
    });
  }

  form.addEventListener("change", () => send("PUT"));

  form.addEventListener("submit", async (event) => {
    if (!url) return;
    event.preventDefault();
    const response = await send("POST");
    if (response?.ok) return;
    end();
    form.submit();
  });

  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => {
    if (!url || event.persisted) begin().catch(() => {});
  });
})();
