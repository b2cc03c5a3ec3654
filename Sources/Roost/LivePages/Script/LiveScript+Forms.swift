extension LiveScript {
    /// Forms that are sent without leaving the page.
    static let forms = #"""

          // MARK: Forms

          document.addEventListener("submit", (event) => {
            const { target: form, submitter } = event;
            if (event.defaultPrevented || !form.matches("form[data-live]")) return;
            if (busy.has(form)) return event.preventDefault();
            const setting = (name) => submitter?.getAttribute("form" + name) ?? form.getAttribute(name) ?? "";
            const url = new URL(setting("action") || location.href, document.baseURI);
            const isPost = /^post$/i.test(setting("method"));
            if (!isPost && !/^(get)?$/i.test(setting("method")) || /^text.plain$/i.test(setting("enctype"))) return;
            if (url.origin !== location.origin || /^(?!_self$)./.test(setting("target"))) return;
            event.preventDefault();
            const data = contentOf(form, submitter);
            const texts = new URLSearchParams([...data].map(([name, value]) => [name, textOf(value)]));
            const end = begin(form, submitter);
            if (isPost) {
              post(url, /^multipart/i.test(setting("enctype")) ? data : texts, form, end);
            } else {
              url.search = texts;
              visit(url).finally(end);
            }
          });

          // A form is sent with CRLF (WHATWG HTML, 4.10.21.4), and the name of a file where it cannot have files.
          const textOf = (value) => (value.name ?? value).replace(/\r\n?|\n/g, "\r\n");

          function contentOf(form, submitter) {
            const { busy: label } = form.dataset;
            delete form.dataset.busy; // this script shows it, for as long as it takes
            const data = new FormData(form);
            if (label) form.dataset.busy = label;
            if (submitter?.name) data.append(submitter.name, submitter.value);
            return data;
          }

          // Shows that the form is being sent. Returns a function that ends that.
          function begin(form, button) {
            const element = button ?? form;
            const label = button && form.dataset.busy && [...button.childNodes];
            busy.add(form);
            element.setAttribute("aria-busy", "true");
            if (label) button.replaceChildren(form.dataset.busy);
            return () => {
              busy.delete(form);
              element.removeAttribute("aria-busy");
              if (label) button.replaceChildren(...label);
            };
          }

          // A form is sent once, whatever happens. If there is no answer, it stays as it was, and says its data-failed.
          function post(url, body, form, end) {
            loading?.abort();
            const mine = loading = new AbortController();
            const request = new XMLHttpRequest(); // which knows how much has been sent
            request.open("POST", url);
            request.setRequestHeader("Accept", headers.Accept);
            request.responseType = "document";
            const progress = form.querySelector("progress[hidden]");
            if (progress) request.upload.addEventListener("progress", ({ loaded, total }) => {
              progress.hidden = false;
              progress.max = total;
              progress.value = loaded;
            });
            request.addEventListener("loadend", () => {
              if (progress) progress.hidden = true;
              end();
              const { status, response, responseURL } = request;
              if (loading !== mine) return; // the visitor has gone on
              loading = undefined;
              if (status === 0 && form.dataset.failed) tell(form.dataset.failed);
              if (status === 0) return;
              const isElsewhere = responseURL !== url.href.replace(/#.*/, "");
              if (response && isPage(request.getResponseHeader("Content-Type"))) {
                show(response, new URL(responseURL), true, status >= 400 && !isElsewhere);
              } else if (isElsewhere) location.assign(responseURL);
            });
            request.send(body);
          }

        """#
}
