extension LiveScript {
    /// The event stream for the pages of all tabs.
    static let stream = #"""

          // MARK: The stream

          const mostPages = 16; // of one stream
          const calm = 500;     // ms: the stream is opened at most this often
          const steady = 5000;  // ms: a stream that has lived so long was no failure

          let source, opening, lastOpening = -Infinity, failures = 0;

          function openSoon() {
            opening ??= setTimeout(open, Math.max(50, lastOpening + calm - performance.now()));
          }

          function close() {
            clearTimeout(opening);
            opening = null;
            source?.close();
          }

          function open() {
            close();
            const visible = [...tabs.values()].sort((a, b) => a.isHidden - b.isHidden);
            // Tabs with the same page in the same state share a place in the stream.
            const groups = Map.groupBy(visible, (one) => `${one.path} ${one.after}`);
            const receivers = [...groups.values()].slice(0, mostPages);
            if (receivers.length === 0) return;
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
              close(); // the browser would come back with the positions of old
              if (performance.now() - lastOpening > steady) failures = 0;
              opening = setTimeout(lead, failures ? growing(failures) : 1000 * Math.random());
              failures++;
            };
          }

        """#
}
