// Gives each block of code of the manual a button that copies it, and lets the keyboard scroll what is wide. Every page
// works without this file.
"use strict";

(() => {
  // The keyboard can scroll what is wider than the page. What is not wider is no stop of the Tab key.
  function markWide() {
    for (const box of document.querySelectorAll(".manual article :is(pre, .scroll)")) {
      const isWide = box.scrollWidth > box.clientWidth;
      const names = box.matches(".scroll") ? { role: "region", "aria-label": "Table" } : {};
      for (const [name, value] of Object.entries({ tabindex: 0, ...names })) {
        if (isWide) box.setAttribute(name, value); else box.removeAttribute(name);
      }
    }
  }
  markWide();
  addEventListener("resize", markWide);

  if (!navigator.clipboard) return; // only over HTTPS, and on this machine
  const shownFor = 2_000; // ms

  for (const block of document.querySelectorAll(".manual article pre")) {
    if (block.querySelector(".language-text")) continue; // a picture
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet copy";
    button.textContent = "Copy";
    const told = document.createElement("span"); // to those who do not see the button
    told.className = "unseen";
    told.setAttribute("role", "status");
    let timer;
    button.addEventListener("click", async () => {
      clearTimeout(timer);
      try {
        await navigator.clipboard.writeText(textOf(block));
        told.textContent = button.textContent = "Copied";
      } catch {
        told.textContent = button.textContent = "Not copied";
      }
      timer = setTimeout(() => {
        button.textContent = "Copy";
        told.textContent = "";
      }, shownFor);
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button, told);
  }

  // Of a console, only the commands: what follows "$ " or "# ", and the lines on which it goes on.
  function textOf(block) {
    const code = block.querySelector("code") ?? block;
    if (!code.className.includes("console")) return code.textContent;
    const commands = code.textContent.match(/^[$#] .*(?:(?<=\\)\n.*)*/gm) ?? [];
    return commands.map((text) => text.slice(2)).join("\n") || code.textContent;
  }
})();
