extension LiveScript {
    /// The events that change one element, and what is read out about them.
    static let actions = #"""

          // MARK: Events

          const actions = {
            patch: morph,
            replace: (target, fresh) => target.replaceWith(adopted(fresh)),
            append: (target, fresh) => target.append(adopted(fresh)),
            prepend: (target, fresh) => target.prepend(adopted(fresh)),
            remove: (target) => target.remove(),
          };

          // A target that is not here is none of this page's business. What is added a second time is changed.
          function apply({ action, target, html }) {
            const template = document.createElement("template");
            template.innerHTML = html ?? "";
            const fresh = template.content.firstElementChild;
            const existing = action.endsWith("pend") && fresh?.id && document.getElementById(fresh.id);
            const element = existing || document.getElementById(target);
            if (!element || isHeld(element) || !fresh && action !== "remove") return;
            change(element, true, () => (existing ? morph : actions[action])?.(element, fresh));
          }

          const isAfter = (id, other) => id.length === other.length ? id > other : id.length > other.length;
          let held; // the events that have come while the page is being fetched: it may have them already

          function receive(source, id, text) {
            if (held) return held.push([visits, source, id, text]);
            let event;
            try { event = JSON.parse(text); } catch { return; }
            const isKnown = id && position?.[source] && !isAfter(id, position[source]);
            const { action } = event;
            if (id && position?.[source] && (!isKnown || action === "refresh")) position[source] = id;
            if (action === "refresh") return refresh(event.news);
            if (action === "gone") {
              isRefused = true;
              follow();
              return refresh();
            }
            if (isKnown) return;
            if (action === "visit") return visit(event.url);
            apply(event);
            if (event.news) tell(event.news);
          }

          // MARK: News

          let told = [], telling;

          function tell(news) {
            told.push(news);
            clearTimeout(telling);
            telling = setTimeout(announce, 100); // together with those that follow at once
          }

          function announce() {
            const element = document.querySelector("[data-live-news]"); // screen readers read its new text
            const many = element?.dataset.many ?? "{n} changes.";
            if (element && told.length > 0) {
              element.textContent = told.length > 3 ? many.replace("{n}", told.length) : told.join(" ");
            }
            told = [];
          }

        """#
}
