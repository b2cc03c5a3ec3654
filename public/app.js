// While a form with data-busy="Signing in…" is being sent, its button is disabled and shows that text, and a second
// submission is dropped. A button with data-shows="password" shows what is typed into the field with that id, and hides
// it again. Every page works without this file.
"use strict";

(() => {
  const giveUpAfter = 30_000; // ms: after this, a submission that was stopped or lost can be repeated
  const busy = new Map();     // form → { label, timer }

  const buttonOf = (form) => form.querySelector("button[type=submit]");

  function begin(form) {
    const button = buttonOf(form);
    if (!button || busy.has(form)) return;
    busy.set(form, { label: button.textContent, timer: setTimeout(() => end(form), giveUpAfter) });
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    button.textContent = form.dataset.busy;
  }

  function end(form) {
    const button = buttonOf(form);
    if (!button) return;
    button.disabled = false; // always: Firefox keeps the disabled state across a reload
    button.removeAttribute("aria-busy");
    const before = busy.get(form);
    if (!before) return;
    clearTimeout(before.timer);
    button.textContent = before.label;
    busy.delete(form);
  }

  document.addEventListener("submit", (event) => {
    if (busy.has(event.target)) event.preventDefault();
  });

  // Fires once the form's data has been gathered: if the button was disabled earlier, its name and value would be lost.
  document.addEventListener("formdata", (event) => {
    if (event.target.dataset.busy) begin(event.target);
  });

  for (const button of document.querySelectorAll("button[data-shows]")) {
    const field = document.getElementById(button.dataset.shows);
    const show = (isShown) => {
      field.type = isShown ? "text" : "password";
      button.setAttribute("aria-pressed", isShown);
    };
    button.hidden = false;
    button.addEventListener("click", () => show(field.type === "password"));
    field.form.addEventListener("submit", () => show(false)); // or browsers would not offer to keep the password
  }

  // Also when the back button restores the page in the state in which it was left.
  window.addEventListener("pageshow", () => document.querySelectorAll("form[data-busy]").forEach(end));
})();
