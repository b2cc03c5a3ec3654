extension LiveScript {
    /// The page is fetched again, and what is live in it is shown.
    static let refreshing = #"""

          // MARK: Refreshing

          let isStale = false, isRefreshing = false, lastRefresh = -Infinity;

          function refresh(news) {
            if (news) told.push(news);
            isStale = true;
            if (!isRefreshing) keepRefreshing();
          }

          async function keepRefreshing() {
            isRefreshing = true;
            let failures = 0;
            while (isStale) {
              const wait = Math.max(0, lastRefresh + pause - performance.now()) + Math.random() * spread;
              await sleep(failures > 0 ? Math.max(wait, growing(failures)) : wait);
              if (!isStale) break; // another page has been shown
              const visit = visits;
              isStale = false;
              clearTimeout(telling);
              const news = told;
              told = [];
              try {
                await fetchAgain(visit, news);
                failures = 0;
              } catch { // the server is away
                failures++;
                isStale = visit === visits;
                if (isStale) told = [...news, ...told];
              }
              lastRefresh = performance.now();
            }
            isRefreshing = false;
          }

          async function fetchAgain(visit, news) {
            held = [];
            try {
              const signal = AbortSignal.timeout?.(longest);
              const fields = { ...headers, "Live-Refresh": "1" };
              const response = await fetch(path, { headers: fields, cache: "no-store", signal });
              const html = await response.text();
              if (visit !== visits) return;
              if (response.redirected || [401, 403, 404, 410].includes(response.status)) return reload();
              if (!response.ok || !isPage(response.headers.get("Content-Type"))) throw response;
              showAgain(parse(html));
              told = [...news, ...told];
              announce();
            } finally {
              const events = held;
              held = undefined;
              for (const [shown, ...event] of events) if (shown === visits) receive(...event);
              follow();
            }
          }

          function showAgain(page) {
            const regions = regionsOf(document);
            const pairs = regions.map((region) => [region, page.getElementById(region.id)]).filter(([, fresh]) => fresh);
            if (regions.length > 0 && pairs.length === 0) return reload();
            if (regions.length === 0) pairs.push([document, page].map((one) => one.querySelector("main")));
            for (const [old, fresh] of pairs) {
              if (old?.isConnected && fresh) change(old, true, () => morph(old, fresh));
            }
            if (page.title) document.title = page.title;
            settle(scriptOf(page));
          }

        """#
}
