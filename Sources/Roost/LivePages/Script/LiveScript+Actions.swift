extension LiveScript {
    /// The events that change one element, and what is read out about them.
    static let actions = #"""

          // MARK: Events

          const actions = {
            patch: morph,
            replace: (target, fresh) => target.replaceWith(adopted(fresh)),
            append: (target, fresh) => target.append(adopted(fresh)),
            prepend: (target, fresh) => target.prepend(adopted(fresh)),
            remove: (target) => target.parentNode.removeChild(target),
          };

          // A target that is not here is none of this page's business. What is added a second time is changed.
          function apply({ action, target, html }) {
            const template = document.createElement("template");
            template.innerHTML = html ?? "";
            const fresh = parsed(template.content).firstElementChild;
            const existing = action.endsWith("pend") && fresh && document.getElementById(idOf(fresh));
            const element = existing || document.getElementById(target);
            if (element && (fresh || action === "remove") && !withParents(element).some(isHeld)) {
              change(element, true, () => (existing ? morph : actions[action])?.(element, fresh));
            }
          }

          let isMissed; // whether an event has come while a form was being sent
          let held; // the events that have come while the page is being fetched: it may have them already

          function receive(source, id, text) {
            isMissed = busy.size;
            if (held) return held.push([visits, source, id, text]);
            const event = JSON.parse(text);
            const isRefresh = /refresh|gone/.test(event.action);
            if (id && position) {
              if (!isRefresh && BigInt(id) <= BigInt(position[source] ?? 0)) return; // the page has it
              position[source] = id;
            }
            tell(event.news);
            if (event.action === "gone") isRefused = true;
            if (isRefresh) refresh();
            else if (event.action !== "visit") apply(event);
            else if (loading) later = { visits, ...event }; // what a form sends is not broken off
            else visit(event.url);
          }

          // MARK: News

          let told = [], telling;

          function tell(news) {
            if (!news) return;
            told.push(news);
            clearTimeout(telling);
            telling = setTimeout(() => isRefreshing || announce(), 100); // together with those that follow at once
          }

          function announce() {
            const element = document.querySelector("[data-live-news]"); // screen readers read its new text
            if (element && told.length) {
              element.textContent = told.length > 3
                ? (element.dataset.many ?? "{n} changes.").replace("{n}", told.length) : told.join(" ");
            }
            told = [];
          }

        """#
}
