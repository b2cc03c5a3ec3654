extension LiveScript {
    /// The page is fetched again, and what is live in it is shown.
    static let refreshing = #"""

          // MARK: Refreshing

          let isStale, isRefreshing, lastRefresh = 0;

          async function refresh() {
            isStale = true;
            if (isRefreshing) return;
            isRefreshing = true;
            let failures = 0;
            while (isStale) {
              // At most once a second, and not at the same moment as all others.
              const wait = Math.max(lastRefresh + 1000 - performance.now(), failures && growing(failures));
              await new Promise((resolve) => setTimeout(resolve, wait + 250 * Math.random()));
              if (!isStale || rests) break; // another page has been shown, or nobody sees this one
              const visit = visits;
              isStale = false;
              held = [];
              try {
                const response = await fetch(path, {
                  headers: { "Accept": "text/html", "Live-Refresh": position?.join(".") },
                  cache: "no-store",
                  signal: AbortSignal.timeout(30000)
                });
                const html = await response.text();
                if (visit === visits) showAgain(response, parsed(new DOMParser().parseFromString(html, "text/html")));
                failures = 0;
              } catch { // the server is away
                failures++;
                isStale = visit === visits;
              }
              lastRefresh = performance.now();
              for (const [shown, ...event] of held) if (shown === visits) queueMicrotask(() => receive(...event));
              held = null; // before they are received
              follow();
            }
            isRefreshing = false;
          }

          // A page with other regions is another page.
          const idsOf = (page) => `${regionsOf(page).map(idOf)}`;

          function showAgain(response, page) {
            if (response.redirected || /40[134]|410/.test(response.status)) return reload();
            if (!response.ok || !isPage(response.headers.get("Content-Type"))) throw response;
            if (idsOf(document) !== idsOf(page)) return reload();
            clearTimeout(reloading);
            const fresh = regionsOf(page);
            regionsOf(document).forEach((old, index) => {
              if (old.isConnected && fresh[index]) change(old, true, () => morph(old, fresh[index]));
            });
            document.title = page.title;
            settle(scriptOf(page));
            announce();
          }

        """#
}
