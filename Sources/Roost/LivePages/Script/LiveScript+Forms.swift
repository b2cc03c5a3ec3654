extension LiveScript {
    /// Forms that are sent without leaving the page.
    static let forms = #"""

          // MARK: Forms

          document.addEventListener("submit", (event) => {
            const { target: form, submitter } = event;
            if (event.defaultPrevented || !form.hasAttribute("data-live")) return;
            const setting = (name) => submitter?.getAttribute("form" + name) ?? form.getAttribute(name);
            const url = new URL(setting("action") || location.href, document.baseURI);
            if (/dialog/i.test(setting("method"))) return;
            if (url.origin !== location.origin || (setting("target") || "_self") !== "_self") return;
            event.preventDefault();
            if (busy.has(form)) return;
            const data = new FormData(form, submitter);
            // A form is sent with CRLF (WHATWG HTML, 4.10.21.4), and the name of a file where it cannot have files.
            const texts = new URLSearchParams([...data].map(
              ([name, value]) => [name, (value.name ?? value).replace(/\r\n?|\n/g, "\r\n")]));
            const end = begin(form, submitter);
            if (/post/i.test(setting("method"))) {
              load(url, true, end, form, /multipart/i.test(setting("enctype")) ? data : texts);
            } else {
              url.search = texts;
              load(url, true, end);
            }
          });

          let sent = new Map(); // the fields of the form that is being sent, with what they had then

          function showFailed(form, isShown) {
            const element = form.querySelector("[data-failed]");
            if (element) element.hidden = !isShown;
          }

          // Shows that the form is being sent. Returns a function that ends that.
          function begin(form, button) {
            const element = button ?? form;
            const label = button && form.dataset.busy && [...button.childNodes];
            busy.add(form);
            sent = new Map([...form.querySelectorAll(fields)].map((field) => [field, field.value]));
            isMissed = false;
            showFailed(form, false);
            element.ariaBusy = "true";
            if (label) button.replaceChildren(form.dataset.busy);
            return () => {
              busy.delete(form);
              element.ariaBusy = null;
              if (label) button.replaceChildren(...label);
            };
          }

        """#
}
