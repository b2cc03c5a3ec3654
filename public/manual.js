// Gives each block of code of the manual a button that copies it. Every page works without this file.
"use strict";

(() => {
  if (!navigator.clipboard) return; // only over HTTPS, and on this machine
  const shownFor = 2_000; // ms

  for (const block of document.querySelectorAll(".manual article pre")) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0; // so that the keyboard can scroll it
    if (block.querySelector(".language-text")) continue; // a picture
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet copy";
    button.textContent = "Copy";
    let timer;
    button.addEventListener("click", async () => {
      clearTimeout(timer);
      try {
        await navigator.clipboard.writeText(textOf(block));
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
      timer = setTimeout(() => { button.textContent = "Copy"; }, shownFor);
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }

  // Of a console, only the commands: what follows "$ " or "# ", and the lines on which it goes on.
  function textOf(block) {
    const code = block.querySelector("code") ?? block;
    if (!code.className.includes("console")) return code.textContent;
    const commands = code.textContent.match(/^[$#] .*(?:(?<=\\)\n.*)*/gm) ?? [];
    return commands.map((text) => text.slice(2)).join("\n") || code.textContent;
  }
})();
