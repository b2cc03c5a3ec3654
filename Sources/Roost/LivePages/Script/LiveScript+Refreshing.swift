extension LiveScript {
    /// The page is fetched again, and what is live in it is shown.
    static let refreshing = #"""

          // MARK: Refreshing

          let isStale = false, isRefreshing = false, lastRefresh = -Infinity;

          async function refresh() {
            isStale = true;
            if (isRefreshing) return;
            isRefreshing = true;
            let failures = 0;
            while (isStale) {
              const wait = Math.max(0, lastRefresh + pause - performance.now()) + Math.random() * spread;
              await sleep(failures > 0 ? Math.max(wait, growing(failures)) : wait);
              if (!isStale) break; // another page has been shown
              const visit = visits;
              isStale = false;
              held = [];
              try {
                const signal = AbortSignal.timeout(longest);
                const fields = { ...headers, "Live-Refresh": `${position?.join(".")}` };
                const response = await fetch(path, { headers: fields, cache: "no-store", signal });
                const html = await response.text();
                if (visit === visits) showAgain(response, parse(html));
                failures = 0;
              } catch { // the server is away
                failures++;
                isStale = visit === visits;
              }
              lastRefresh = performance.now();
              const events = held;
              held = null;
              for (const [shown, ...event] of events) if (shown === visits) queueMicrotask(() => receive(...event));
              follow();
            }
            isRefreshing = false;
          }

          const idOf = ({ id }) => id;

          function showAgain(response, page) {
            if (response.redirected || [401, 403, 404, 410].includes(response.status)) return reload();
            if (!response.ok || !isPage(response.headers.get("Content-Type"))) throw response;
            const regions = regionsOf(document), fresh = regionsOf(page);
            // A page with other regions is another page.
            if (`${regions.map(idOf)}` !== `${fresh.map(idOf)}`) return reload();
            regions.forEach((old, index) => {
              if (old.isConnected && fresh[index]) change(old, true, () => morph(old, fresh[index]));
            });
            document.title = page.title;
            settle(scriptOf(page));
            announce();
          }

        """#
}
