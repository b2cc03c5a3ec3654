// A button with data-shows="password" shows what is typed into the field with that id, and hides it again. Without this
// file there is no such button.
"use strict";

(() => {
  const fieldOf = (button) => document.getElementById(button.dataset.shows);

  function show(button, isShown) {
    fieldOf(button).type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", isShown);
  }

  document.documentElement.classList.add("scripted"); // the style sheet shows the buttons then

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-shows]");
    if (button) show(button, fieldOf(button).type === "password");
  });

  // Or browsers would not offer to keep the password.
  document.addEventListener("submit", (event) => {
    for (const button of event.target.querySelectorAll("button[data-shows]")) show(button, false);
  });
})();
