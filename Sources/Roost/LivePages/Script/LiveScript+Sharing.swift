extension LiveScript {
    /// The tabs of a browser share one stream, which the leader among them has.
    static let sharing = #"""

          // MARK: Sharing

          const tab = Math.random();
          const tabs = new Map(); // the leader's knowledge: each tab's path, position, and whether it is hidden
          let joining, channel, release, isLeader;

          // Says to the leader what this page follows, after any change of that.
          function follow() {
            if (!position || isRefused || rests) return leave();
            if (!joining) join();
            report();
          }

          const report = (after = position) => say({ tab, path, after, isHidden: document.hidden });

          function say(message) {
            channel?.postMessage(message);
            hear(message);
          }

          // The lock has one holder among all tabs, the next in line when that goes. Without locks each tab is its own.
          async function join() {
            joining = new AbortController();
            channel = new BroadcastChannel(script.src);
            channel.onmessage = ({ data }) => hear(data);
            try {
              await navigator.locks.request(script.src, { signal: joining.signal }, () => new Promise((resolve) => {
                release = resolve;
                lead();
              }));
            } catch ({ name }) {
              if (name === "AbortError") return;
              channel = channel?.close(); // there are no locks, or they are forbidden, as where cookies are
              lead();
            }
          }

          function leave() {
            if (!joining) return;
            isLeader = false;
            report(null);
            close();
            joining.abort();
            release?.();
            channel?.close();
            joining = channel = release = null;
          }

          // MARK: The leader

          // Asks who is there, since tabs can end without a word; also before each new attempt to connect.
          function lead() {
            close();
            isLeader = true;
            tabs.clear();
            say({ isCall: true });
            openSoon();
          }

          function hear(message) {
            if (message.isCall) report();
            else if (message.tab && isLeader) {
              note(message);
              if (!release || !document.hidden || [...tabs.values()].every((one) => one.isHidden)) return;
              leave(); // a hidden tab may be put to sleep: another leads if it is visible
              follow();
            } else if (message.to?.includes(tab) && message.path === path) receive(...message.event);
          }

          function note({ tab, path, after, isHidden }) {
            const before = tabs.get(tab);
            if (before && !after) source?.close(); // it may be behind what it is sent
            if (after) tabs.set(tab, { tab, path, after: [...after], isHidden }); else tabs.delete(tab);
            if (before?.path !== path || before.after.length !== after?.length) openSoon();
          }

          function deliver(receivers, index, id, text) {
            const { path } = receivers[0];
            for (const { tab } of receivers) {
              const one = tabs.get(tab);
              if (id && one?.path === path) one.after[index] = id;
            }
            say({ to: receivers.map((one) => one.tab), path, event: [index, id, text] });
          }

        """#
}
