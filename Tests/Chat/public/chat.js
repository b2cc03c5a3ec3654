// Shows what everybody says, and sends what is typed. What comes is put into the page as text, never as HTML.
"use strict";

(() => {
  const chat = document.getElementById("chat");
  if (!chat) return;
  const log = document.getElementById("log");
  const note = document.getElementById("note");
  const form = chat.querySelector("form");

  const longestPause = 30_000; // ms between two attempts to connect
  let pause = 1000;
  let socket, last;

  function show({ id, message, error }) {
    note.textContent = error ?? "";
    if (!message) return;
    last = id;
    const line = document.createElement("li");
    line.className = message.event;
    line.textContent =
      message.event === "said" ? `${message.name}: ${message.text}` : `${message.name} has ${message.event}.`;
    log.append(line);
    while (log.childElementCount > 500) log.firstElementChild.remove();
    line.scrollIntoView({ block: "nearest" });
  }

  function connect() {
    const url = new URL(chat.dataset.socket, location.href);
    url.protocol = url.protocol.replace("http", "ws"); // https: becomes wss:
    if (last) url.searchParams.set("after", last);
    socket = new WebSocket(url);
    socket.addEventListener("open", () => {
      note.textContent = "";
      pause = 1000;
    });
    socket.addEventListener("message", (event) => show(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      note.textContent = "The connection is lost. Trying again…";
      setTimeout(connect, pause * (1 + Math.random())); // not all clients at the same moment
      pause = Math.min(2 * pause, longestPause);
    });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(form.elements.text.value);
    form.reset();
  });

  connect();
})();
