// The live view of MVVM's login: the page has a view model of its own on the server, and shows each of its states.
// Every page works without this file.
"use strict";

(() => {
  const form = document.querySelector("form[data-live]");
  if (!form || !window.EventSource) return;
  const button = form.querySelector("button[type=submit]");
  const label = button.textContent;
  const error = document.getElementById("error");
  let url, source; // of the view model, while there is one

  function show({ isLoading, errorMessage, isLoggedIn }) {
    button.disabled = isLoading;
    if (isLoading) button.setAttribute("aria-busy", "true"); else button.removeAttribute("aria-busy");
    button.textContent = isLoading ? form.dataset.busy : label;
    error.textContent = errorMessage;
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

  async function begin() {
    const response = await fetch(form.dataset.live, { method: "POST" });
    if (!response.ok) return;
    url = response.headers.get("Location");
    source = new EventSource(url);
    source.addEventListener("state", (event) => show(JSON.parse(event.data)));
    source.addEventListener("open", () => { form.dataset.follows = url; });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) end();
    });
  }

  form.addEventListener("submit", async (event) => {
    if (!url) return;
    event.preventDefault();
    const typed = [...form.elements].filter((field) => field.name);
    const body = new URLSearchParams(typed.map((field) => [field.name, field.value]));
    const response = await fetch(url, { method: "POST", body }).catch(() => null);
    if (response?.ok) return;
    end();
    form.submit();
  });

  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => {
    if (!url || event.persisted) begin().catch(() => {});
  });
})();
