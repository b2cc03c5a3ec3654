extension LiveScript {
    /// The event stream for the pages of all tabs.
    static let stream = #"""

          // MARK: The stream

          let source, opening, lastOpening = -Infinity, failures = 0;

          function openSoon() {
            opening ??= setTimeout(open, Math.max(50, lastOpening + 500 - performance.now())); // not more often
          }

          function close() {
            clearTimeout(opening);
            opening = null;
            source?.close();
          }

          function open() {
            close();
            // Tabs with the same page in the same state share a place in the stream. The visible ones come first.
            const receivers = [...Map.groupBy(
              [...tabs.values()].sort((a, b) => a.isHidden - b.isHidden),
              (one) => `${one.path} ${one.after}`).values()].slice(0, 16);
            if (!receivers[0]) return;
            const url = new URL("events", script.src);
            for (const [{ path, after }] of receivers) {
              url.searchParams.append("page", path);
              url.searchParams.append("after", after.join("."));
            }
            lastOpening = performance.now();
            source = new EventSource(url);
            source.onmessage = ({ data, lastEventId }) => {
              const [place, ...lines] = data.split("\n");
              const [page, index] = place.split(".");
              const id = index && lastEventId; // without an id of its own, an event has the one before
              if (receivers[page]) deliver(receivers[page], index, id, lines.join("\n"));
            };
            source.onerror = () => {
              // Who is refused (2) may have signed out: the pages' own requests decide.
              if (source.readyState > 1 && failures < 2) {
                for (const one of receivers) deliver(one, 0, 0, '{"action":"refresh"}');
              }
              close(); // the browser would come back with the positions of old
              if (performance.now() - lastOpening > 5000) failures = 0; // a stream that has lived so long was none
              opening = setTimeout(lead, growing(failures++));
            };
          }

          // What the browser knows is not waited for.
          addEventListener("online", () => {
            failures = 0;
            if (isLeader) lead();
          });

        """#
}
