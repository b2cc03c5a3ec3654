extension LiveScript {
    /// The change of an element into another one, so that what the visitor has done stays.
    static let morphing = #"""

          // MARK: Morphing

          const fields = "input, textarea, select";
          let keeps = true;      // what the visitor has done stays: false when another page is shown
          let isAgain = true;    // what is open stays, and the chosen files: a form is shown again with its mistakes
          let typed = new Map(); // the fields that the visitor has changed, each with what was chosen
          let around;            // the element with the focus, and all around it
          const busy = new Set(); // the forms that are being sent

          const idOf = (node) => node.getAttribute("id");
          // A form has its fields as properties, such as one called "matches".
          const is = (node, selector) => Element.prototype.matches.call(node, selector);
          const withParents = (node) => node ? [node, ...withParents(node.parentElement)] : [];
          const isPermanent = (node) => node.hasAttribute?.("data-permanent") && idOf(node);
          const isHeld = (node) => isPermanent(node) || keeps
            && (busy.has(node) || busy.has(node.form) || node.isContentEditable
              || is(node, "form:has([aria-invalid=true])"));
          const stateOf = (field) => field.options
            ? [...field.selectedOptions].map((option) => option.value) : [field.value, field.checked];

          // A field is compared with what it is after a reset.
          function isTyped(field) {
            const form = document.createElement("form");
            form.append(field.cloneNode(true));
            HTMLFormElement.prototype.reset.call(form); // the field may be called "reset"
            return `${stateOf(field)}` !== `${stateOf(form.firstChild)}`;
          }

          // Changes an element and what is in it by a function. What the visitor has chosen stays, and the focus: if
          // its element goes, it moves to the same one by id, or to the nearest around it that can have it.
          function change(root, keep, work) {
            const active = document.activeElement;
            around = withParents(active);
            keeps = keep;
            typed.clear();
            for (const field of keeps ? [root, ...(root.closest("form") ?? root).querySelectorAll(fields)] : []) {
              if (is(field, fields) && isTyped(field)) typed.set(field, stateOf(field));
            }
            work();
            keeps = true;
            for (const [field, state] of typed) {
              if (!field.options) field.checked = state[1];
              else for (const option of field.options) option.selected = state.includes(option.value);
            }
            if (document.activeElement === active) return;
            const next = active.isConnected ? active : document.getElementById(active.id)
              ?? around.find((one) => one.isConnected && one.hasAttribute("tabindex"));
            next?.focus({ preventScroll: true });
          }

          function morph(old, fresh) {
            const before = old.value; // an attribute may change it
            if (old.nodeName !== fresh.nodeName) return old.replaceWith(adopted(fresh));
            if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue; // an element has none
            if (!(old instanceof Element) || isHeld(old) || keeps && old.isEqualNode(fresh)) return;
            // What is hidden in a form, such as a version, belongs to what the visitor has typed in it. But several
            // of one name belong to the rows beside them.
            if (old.type === "hidden" && [...typed.keys()].some(({ form }) => form?.[fresh.name] === old)) return;
            // What is open stays, of <details> and <dialog>, and the word that a form was not sent.
            const isKept = (name) => keeps && (name === "open" || is(old, "[data-failed]"));
            for (const name of fresh.getAttributeNames()) {
              const value = fresh.getAttribute(name);
              if (old.getAttribute(name) !== value && !isKept(name)) old.setAttribute(name, value);
            }
            for (const name of old.getAttributeNames()) {
              if (fresh.hasAttribute(name) || isKept(name) || isAgain && name === "open") continue;
              if (name === "open") old.close?.(); // a modal dialog would still block the page
              old.removeAttribute(name);
            }
            if (old.nodeName === "TEXTAREA") old.defaultValue = fresh.defaultValue; else morphChildren(old, fresh);
            if (!is(old, fields) || typed.has(old)) return;
            if (old.options) {
              [...old.options].forEach((option, index) => option.selected = fresh.options[index]?.selected);
            } else {
              // What has been typed since the form was sent stays beside what takes the place of what was sent.
              const value = before.replace(sent.get(old) ?? before, () => fresh.value);
              if (old.value !== value && !(isAgain && old.type === "file")) old.value = value;
              old.checked = fresh.checked;
            }
          }

          // A copy for this page; what is permanent is not copied, but moved there.
          function adopted(fresh) {
            const existing = (node) => isPermanent(node) && document.getElementById(idOf(node));
            if (existing(fresh)) return existing(fresh);
            const node = document.importNode(fresh, true);
            for (const one of node.querySelectorAll?.("[id][data-permanent]") ?? []) {
              one.replaceWith(existing(one) || one);
            }
            return node;
          }

        """#
}
