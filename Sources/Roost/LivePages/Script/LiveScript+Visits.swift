extension LiveScript {
    /// Links, and the pages that take the place of the one that is shown.
    static let visits = #"""

          // MARK: Visits

          let loading; // aborts the request for the next page

          // Shows another page of this site in the place of this one. Where that cannot be, the browser goes there.
          async function visit(address, isNew = true, link) {
            if (!URL.canParse(address, document.baseURI)) return;
            const url = new URL(address, document.baseURI);
            if (url.origin !== location.origin) return;
            loading?.abort();
            const mine = loading = new AbortController();
            link?.setAttribute("aria-busy", "true");
            try {
              const response = await fetch(url, { headers, signal: mine.signal });
              if (!isPage(response.headers.get("Content-Type"))) throw response;
              const html = await response.text();
              const shown = new URL(response.url);
              shown.hash ||= url.hash;
              if (loading === mine) show(parse(html), shown, isNew);
            } catch {
              if (loading === mine) go(url, isNew);
            } finally {
              link?.removeAttribute("aria-busy");
            }
          }

          const go = (url, isNew) => isNew ? location.assign(url) : location.reload();

          const filesOf = (page) => [...page.querySelectorAll("link[rel=stylesheet], script[src]")]
            .map((element) => element.getAttribute("href") ?? element.getAttribute("src"));

          // A page with other styles or scripts is the browser's business, unless it is the answer to a mistake.
          function show(page, url, isNew, isMistake = false) {
            const files = filesOf(document);
            if (!isMistake && !filesOf(page).every((file) => files.includes(file))) return go(url, isNew);
            loading = undefined;
            const isSame = url.pathname + url.search === path;
            if (isNew && !isMistake) {
              history.replaceState({ ...history.state, top: scrollY }, "");
              history[isSame ? "replaceState" : "pushState"](null, "", url);
            }
            visits++;
            isStale = isRefused = false;
            told = [];
            keepsFiles = isMistake;
            change(document.body, false, () => morph(document.body, page.body));
            document.title = page.title;
            document.documentElement.lang = page.documentElement.lang;
            settle(scriptOf(page));
            follow();
            arrive(url, isNew, isSame, isMistake);
          }

          // Puts the focus and the view where the browser would, or where the mistake is.
          function arrive(url, isNew, isSame, isMistake) {
            const wrong = isMistake && document.querySelector('[aria-invalid="true"]');
            if (wrong) return wrong.focus();
            if (isSame && !isMistake) return;
            const place = isNew && url.hash && document.getElementById(decodeURIComponent(url.hash.slice(1)));
            if (place) place.scrollIntoView(); else scrollTo(0, isNew ? 0 : history.state?.top ?? 0);
            const first = document.querySelector("[autofocus]") ?? document.querySelector("main");
            if (first?.matches("main:not([tabindex])")) first.tabIndex = -1;
            first?.focus({ preventScroll: true });
          }

          window.addEventListener("popstate", () => {
            if (location.pathname + location.search !== path) visit(location.href, false);
          });

          document.addEventListener("click", (event) => {
            const link = event.target.closest?.("a[href][data-live]");
            const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
            if (!link || event.defaultPrevented || !isPlain) return;
            if (link.origin !== location.origin || link.download || /^(?!_self$)./.test(link.target)) return;
            if (link.hash && link.pathname + link.search === path) return;
            event.preventDefault();
            visit(link.href, true, link);
          });

        """#
}
