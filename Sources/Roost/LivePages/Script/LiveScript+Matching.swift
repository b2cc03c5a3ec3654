extension LiveScript {
    /// The search for the node that becomes another one: by id, then by place.
    static let matching = #"""

          // MARK: Which node becomes which

          // The id of an element is its key. One without has a hint, which is worth less: its name or address, or
          // the first id, name or address in it.
          function keyOf(node) {
            if (!(node instanceof Element)) return "";
            if (idOf(node)) return `${node.nodeName}#${idOf(node)}`;
            const hint = is(node, "[name], [href]") ? node : node.querySelector("[id], [name], [href]");
            const given = hint && (idOf(hint) || hint.getAttribute("name") || hint.getAttribute("href"));
            return given ? `${node.nodeName}>${given}` : "";
          }

          // Finds the old node for each new one, or none: by key, and otherwise the next of its kind in the place where
          // the one before was found.
          function matches(old, fresh) {
            const keys = old.map(keyOf), freshKeys = fresh.map(keyOf), wanted = new Set(freshKeys);
            const byKey = Map.groupBy(keys.keys(), (index) => keys[index]), taken = new Set();
            let next = 0;
            return fresh.map((node, index) => {
              const key = freshKeys[index];
              let found = key ? byKey.get(key)?.shift() : null;
              for (let at = next; found == null && !key.includes("#") && at < old.length; at++) {
                if (taken.has(at)) continue;
                if (keys[at] && wanted.has(keys[at])) break;
                if (!keys[at].includes("#") && old[at].nodeName === node.nodeName) found = at;
              }
              if (found == null) return -1;
              taken.add(found);
              next = found + 1;
              return found;
            });
          }

          // The most nodes that can stay where they are, while the others move around them: the longest run of places
          // that grow. The one with the focus is among them.
          function settled(places, anchor) {
            const ends = [], before = [];
            let at = 0; // where the last one was put: the next is mostly beside it
            places.forEach((place, index) => {
              if (place < 0 || anchor >= 0 && (index - anchor) * (place - places[anchor]) < 0) return;
              while (places[ends[at - 1]] >= place) at--;
              while (places[ends[at]] < place) at++;
              before[index] = ends[at - 1];
              ends[at] = index;
            });
            const staying = new Set();
            for (let index = ends.at(-1); index >= 0; index = before[index]) staying.add(index);
            return staying;
          }

          function morphChildren(parent, freshParent) {
            const old = [...parent.childNodes], fresh = [...freshParent.childNodes];
            const places = matches(old, fresh);
            const staying = settled(places, places.findIndex((place) => around.includes(old[place])));
            let next = null;
            for (let index = fresh.length - 1; index >= 0; index--) {
              let node = old[places[index]];
              if (!node) {
                node = parent.insertBefore(adopted(fresh[index]), next);
              } else {
                if (!staying.has(index)) parent[parent.moveBefore ? "moveBefore" : "insertBefore"](node, next);
                morph(node, fresh[index]);
              }
              next = node;
            }
            const found = new Set(places);
            old.forEach((node, place) => {
              if (found.has(place) || node.parentNode !== parent || keeps && isPermanent(node)) return;
              parent.removeChild(node); // a form's field may be called "remove"
            });
          }

        """#
}
