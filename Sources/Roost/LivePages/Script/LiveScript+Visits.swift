extension LiveScript {
    /// Links, and the pages that take the place of the one that is shown.
    static let visits = #"""

          // MARK: Visits

          let loading; // the request for the next page
          let later;   // where an event leads when that has come, and of which page it was
          let putBack; // shows the page again whose form was answered by an error page

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
              const { status, responseURL } = request;
              // A response without a type would be read as XML.
              const response = isPage(request.getResponseHeader("Content-Type")) && request.response;
              const shown = new URL(responseURL || url);
              shown.hash ||= url.hash;
              const isMoved = shown.href !== url.href;
              const refused = status >= 400 && !isMoved && form;
              // When the server is away, a proxy answers with a page of its own.
              if (response && (!refused || status < 502 || scriptOf(response))) {
                show(parsed(response), shown, isNew, refused);
              } else if (isMoved || !form) go(shown, isNew);
              else {
                showFailed(form, status !== 204);
                if (position) refresh(); // what came for the form while it was being sent
              }
              sent.clear();
            };
            request.send(body);
          }

          function go(url, isNew) {
            if (isNew && !(url.hash && pathOf(url) === pathOf(location))) return location.assign(url);
            history.replaceState(history.state, "", url); // to another fragment, the browser would only scroll
            location.reload();
          }

          const filesOf = (page) =>
            `${[...page.querySelectorAll("link[rel=stylesheet], script[src]")].map((one) => one.href ?? one.src)}`;

          // A page with other styles or scripts is the browser's business, unless it is the answer to a mistake: then
          // `refused` is the form.
          function show(page, url, isNew, refused) {
            if (!refused && filesOf(page) !== filesOf(document)) return go(url, isNew);
            const isSame = pathOf(url) === path;
            if (!isNew) history.replaceState(history.state, "", url); // it may lead elsewhere now
            else if (!refused) {
              history.replaceState({ ...history.state, top: scrollY }, "");
              history[isSame ? "replaceState" : "pushState"](null, "", url);
            }
            const isOther = idsOf(page) !== idsOf(document);
            visits++;
            isStale = isRefused = false;
            told = [];
            isAgain = refused;
            if (!isSame && !refused) sent.clear(); // another form begins anew
            putBack = null;
            // What has been typed is not lost by an error page without the form: the back button leads to it.
            if (refused && ![...page.forms].some(
              (one) => one.getAttribute("action") === refused.getAttribute("action"))) {
              const { body, title } = document, before = position;
              putBack = () => {
                putBack = null;
                visits++;
                document.body = body;
                document.title = title;
                position = before;
                report(null); // what has come for the error page comes again
                follow();
              };
              history.replaceState({ ...history.state, top: scrollY }, "");
              history.pushState(null, "");
              document.body = page.body;
            } else change(document.body, false, () => morph(document.body, page.body));
            document.title = page.title;
            document.documentElement.lang = page.documentElement.lang;
            document.documentElement.dir = page.documentElement.dir;
            report(null); // the visitor may be somebody else now
            const script = scriptOf(page);
            // The answer to a form may be the same page, which does not say again what it follows, and may be older
            // than an event that has come meanwhile. A mistake that has a page of its own stays as it is.
            if (refused ? isOther || putBack : !isSame || script?.dataset.after) settle(script);
            else if (isMissed) refresh();
            follow();
            // The focus and the view go where the browser would put them, or where the mistake is.
            const start = document.querySelector("[autofocus]");
            const wrong = refused && (document.querySelector("[aria-invalid=true]") ?? start);
            if (wrong) return wrong.focus();
            if (isSame && !refused) return;
            let place;
            try {
              place = isNew && document.getElementById(decodeURIComponent(url.hash.slice(1)));
            } catch {} // such as #50%
            if (place) place.scrollIntoView(); else scrollTo(0, isNew ? 0 : history.state?.top);
            const first = start ?? document.querySelector("main");
            if (first?.tabIndex < 0) first.tabIndex = -1;
            first?.focus({ preventScroll: true });
          }

          addEventListener("popstate", () => {
            if (pathOf(location) !== path) visit(location, false); else if (history.state) putBack?.();
          });

          document.addEventListener("click", (event) => {
            const link = event.target.closest?.("a[href][data-live]");
            if (!link || event.defaultPrevented || event.button
              || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey // a tab or window of its own
              || link.origin !== location.origin || link.hasAttribute("download")
              || (link.target || "_self") !== "_self" || link.hash && pathOf(link) === path) return;
            event.preventDefault();
            visit(link, true, begin(link));
          });

        """#
}
