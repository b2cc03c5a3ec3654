extension LiveScript {
    /// The page that is shown, and its position in what it follows.
    static let page = #"""

          // MARK: The page

          // What is in a live element is a part of it.
          const live = "[id][data-live]:not(a, form, :not(a, form)[id][data-live] *)";

          let path;     // the path and query of the page that is shown
          let position; // the id of the last event of each source that the page follows; none if it is not live
          let visits = 0;   // counts the pages that have been shown: an answer to an earlier one is dropped
          let isRefused, rests, resting, reloading;

          // A page without live elements is live as a whole.
          const regionsOf = (page) =>
            [...page.querySelectorAll(page.querySelector(live) ? live : "main")];
          const scriptOf = (page) => page.querySelector("script[src*='/_live/']");
          const isPage = (type) => /^text\/html/i.test(type);
          const pathOf = ({ pathname, search }) => pathname + search;
          // The pause after a failure, at most 30 s: longer each time, and not the same for all pages.
          const growing = (failures) => Math.min(30000, 2 ** failures * (500 + 1000 * Math.random()));

          // The browser has a text in <noscript>, as scripts run; what is parsed here has elements there.
          function parsed(page) {
            for (const one of page.querySelectorAll("noscript")) one.replaceChildren(one.innerHTML);
            return page;
          }

          function settle(element) {
            path = pathOf(location);
            position = element?.dataset.after?.split(".");
          }

          // Loads the page again, but at most once a minute: never in a circle.
          function reload(visit = visits) {
            if (visit !== visits) return; // another page has been shown
            try {
              const key = "live " + path;
              // What a form sends is not broken off.
              const wait = loading ? 1000 : sessionStorage[key] - Date.now() + 60000;
              clearTimeout(reloading);
              if (wait > 0) return reloading = setTimeout(reload, wait, visit);
              sessionStorage[key] = Date.now();
              location.reload();
            } catch {} // without a storage there is no knowing
          }

          function watch() {
            clearTimeout(resting);
            // A page that has been hidden for a minute needs no news. One that has been left is hidden after that.
            if (document.hidden) resting = setTimeout(rest, 60000); else rests = false;
            if (isStale && !rests) refresh();
            follow();
          }

          function rest() {
            rests = true;
            follow();
          }

          document.addEventListener("visibilitychange", watch);
          addEventListener("pageshow", watch); // also when the back button restores the page
          addEventListener("pagehide", rest);

        """#
}
