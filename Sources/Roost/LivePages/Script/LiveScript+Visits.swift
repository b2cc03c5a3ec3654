extension LiveScript {
    /// Links, and the pages that take the place of the one that is shown.
    static let visits = #"""

          // MARK: Visits

          let loading; // the request for the next page
          let later;   // where an event leads when that has come, and of which page it was

          function visit(address, isNew = true, end) {
            const url = new URL(address, document.baseURI);
            if (url.origin === location.origin) load(url, isNew, end);
          }

          // Asks for the page that takes the place of this one. Where that cannot be, the browser goes there. But what
          // a form sends is sent once: if there is no answer, the form stays as it was, and shows its data-failed.
          function load(url, isNew, end, form, body) {
            url.hash = url.hash; // an empty one has a sign of its own
            const before = loading;
            const request = loading = new XMLHttpRequest(); // which knows how much has been sent
            before?.abort();
            request.open(form ? "POST" : "GET", url);
            request.setRequestHeader("Accept", "text/html");
            request.responseType = "document";
            const progress = form?.querySelector("progress[hidden]");
            if (progress) request.upload.onprogress = ({ loaded, total }) => {
              progress.hidden = false;
              progress.max = total;
              progress.value = loaded;
            };
            request.onloadend = () => {
              if (progress) progress.hidden = true;
              end?.();
              if (loading !== request) return; // the visitor has gone on
              loading = null;
              queueMicrotask(() => {
                if (later?.visits === visits) visit(later.url);
                later = null;
              });
              if (!isNew && pathOf(url) !== pathOf(location)) return; // by the back and forward buttons
              const { status, response, responseURL } = request;
              const shown = new URL(responseURL || url);
              shown.hash ||= url.hash;
              const isMoved = shown.href !== url.href;
              const isMistake = form && status >= 400 && !isMoved;
              // When the server is away, a proxy answers with a page of its own.
              if (isPage(response?.contentType) && (!isMistake || status < 502 || scriptOf(response))) {
                show(parsed(response), shown, isNew, isMistake);
              } else if (isMoved || !form) go(shown, isNew);
              else {
                if (!status || status >= 400) showFailed(form, true);
                if (position) refresh(); // what came for the form while it was being sent
              }
            };
            request.send(body);
          }

          function go(url, isNew) {
            if (isNew && !(url.hash && pathOf(url) === pathOf(location))) return location.assign(url);
            history.replaceState(history.state, "", url); // to another fragment, the browser would only scroll
            location.reload();
          }

          const filesOf = (page) =>
            `${[...page.querySelectorAll("link[rel=stylesheet], script[src]")].map(({ href, src }) => href ?? src)}`;

          // A page with other styles or scripts is the browser's business, unless it is the answer to a mistake.
          function show(page, url, isNew, isMistake) {
            if (!isMistake && filesOf(page) !== filesOf(document)) return go(url, isNew);
            const isSame = pathOf(url) === path;
            if (!isNew) history.replaceState(history.state, "", url); // it may lead elsewhere now
            else if (!isMistake) {
              history.replaceState({ ...history.state, top: scrollY }, "");
              history[isSame ? "replaceState" : "pushState"](null, "", url);
            }
            const isOther = idsOf(page) !== idsOf(document);
            visits++;
            isStale = isRefused = false;
            told = [];
            isAgain = isMistake;
            change(document.body, false, () => morph(document.body, page.body));
            document.title = page.title;
            document.documentElement.lang = page.documentElement.lang;
            document.documentElement.dir = page.documentElement.dir;
            report(null); // the visitor may be somebody else now
            const script = scriptOf(page);
            // The answer to a form may be the same page, which does not say again what it follows, and may be older
            // than an event that has come meanwhile. A mistake that has a page of its own stays as it is.
            if (isMistake ? isOther : !isSame || script?.dataset.after) settle(script);
            else if (isMissed) refresh();
            follow();
            arrive(url, isNew, isSame, isMistake);
          }

          // Puts the focus and the view where the browser would, or where the mistake is.
          function arrive(url, isNew, isSame, isMistake) {
            const start = document.querySelector("[autofocus]");
            const wrong = isMistake && (document.querySelector("[aria-invalid=true]") ?? start);
            if (wrong) return wrong.focus();
            if (isSame && !isMistake) return;
            let place;
            try {
              place = isNew && document.getElementById(decodeURIComponent(url.hash.slice(1)));
            } catch {} // such as #50%
            if (place) place.scrollIntoView(); else scrollTo(0, isNew ? 0 : history.state?.top ?? 0);
            const first = start ?? document.querySelector("main");
            if (!start && first?.tabIndex < 0) first.tabIndex = -1;
            first?.focus({ preventScroll: true });
          }

          addEventListener("popstate", () => {
            if (pathOf(location) !== path) visit(location.href, false);
          });

          document.addEventListener("click", (event) => {
            const link = event.target.closest?.("a[href][data-live]");
            if (!link || event.defaultPrevented || event.button) return;
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // a tab or window of its own
            if (link.origin !== location.origin || link.hasAttribute("download") || !isHere(link.target)) return;
            if (link.hash && pathOf(link) === path) return;
            event.preventDefault();
            visit(link, true, begin(link));
          });

        """#
}
