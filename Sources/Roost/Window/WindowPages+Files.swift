extension WindowPages {
    static let script = """
        // Sends what was typed into the form of a route, as JSON or as a form.
        for (const form of document.querySelectorAll("form[data-method]")) {
          form.addEventListener("submit", async (event) => {
            event.preventDefault();
            const { path, body } = form.elements;
            const output = form.querySelector("output");
            const isJSON = /^\\s*[{[]/.test(body.value);
            const type = isJSON ? "application/json" : "application/x-www-form-urlencoded";
            output.textContent = "…";
            try {
              const response = await fetch(path.value, {
                method: form.dataset.method,
                headers: body.value ? { "Content-Type": type } : {},
                body: body.value || undefined,
              });
              const text = await response.text();
              output.textContent = `${response.status} ${response.statusText}\\n${text.slice(0, 5000)}`;
            } catch (error) {
              output.textContent = `${error}`;
            }
          });
        }

        """

    static let style = """
        nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: 1.25rem; }
        nav [aria-current] a { font-weight: 600; text-decoration: none; }
        a { color: inherit; text-underline-offset: .2em; }
        a:hover { text-decoration-thickness: 2px; }
        h1 { font-size: 1.5rem; }
        ol, ul { margin: 0; padding: 0; list-style-type: ""; }
        li { padding: .625rem 0; border-top: 1px solid var(--line); }
        .row { display: flex; flex-wrap: wrap; gap: .125rem 1rem; align-items: baseline; }
        .row .grow { flex: 1 1 12rem; min-width: 0; }
        .warning { color: var(--wrong); font-weight: 600; }
        li pre { margin: .25rem 0; padding: .5rem; white-space: pre-wrap; background: var(--surface); }
        summary { cursor: pointer; color: var(--soft); }
        form { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .375rem; }
        input, button { padding: .375rem .625rem; font: inherit; color: inherit; background: var(--surface);
          border: 1px solid var(--soft); border-radius: 4px; }
        input { flex: 1 1 10rem; min-width: 0; }
        textarea { flex: 1 1 100%; min-width: 0; box-sizing: border-box; padding: .375rem .625rem; color: inherit;
          font: .875rem ui-monospace, monospace; background: var(--surface); border: 1px solid var(--soft);
          border-radius: 4px; }
        output { flex: 1 1 100%; white-space: pre-wrap; overflow-wrap: anywhere; }
        main dl { margin-bottom: 1.25rem; }

        """

    static let template = """
        {{<layout}}
        {{$title}}{{title}} – Roost{{/title}}
        {{$head}}
        {{liveScript}}
        <script src="/_roost/window.js" defer></script>
        {{/head}}
        {{$header}}
        <header>
        <nav aria-label="Pages">
        {{#links}}
        <span{{#isCurrent}} aria-current="page"{{/isCurrent}}><a href="{{url}}">{{title}}</a></span>
        {{/links}}
        </nav>
        </header>
        {{/header}}
        {{$content}}
        <h1>{{title}}</h1>
        {{#notice}}<p>{{.}}</p>{{/notice}}
        {{#hasRequests}}
        <p class="soft">The last requests, the newest first. Values of statements about secrets are masked; paths and
        subjects are not. Only development shows this page.</p>
        <ol id="requests" data-live>
        {{#requests}}
        <li class="row" id="request-{{number}}"><span>{{status}}</span>
        <a class="grow" href="/_roost/requests/{{number}}">{{method}} {{path}}</a>
        {{#warning}}<span class="warning">{{.}}</span>{{/warning}}
        <span><span class="soft">{{statements}} SQL</span> {{time}} ms</span></li>
        {{/requests}}
        {{^requests}}<li>No request has come yet.</li>{{/requests}}
        </ol>
        {{/hasRequests}}
        {{#detail}}
        {{#notices}}<section><p class="what">{{.}}</p></section>{{/notices}}
        <dl>
        <dt>Response</dt><dd>{{status}}</dd>
        <dt>Content</dt><dd>{{type}}</dd>
        <dt>Route</dt><dd>{{route}}</dd>
        <dt>Time</dt><dd>{{time}} ms</dd>
        {{#id}}<dt>Id in the log</dt><dd>{{.}}</dd>{{/id}}
        </dl>
        <h2>Timeline</h2>
        <ol>
        {{#steps}}
        <li>
        <div class="row"><span class="soft">+{{start}} ms</span> <strong class="grow">{{kind}}</strong>
        {{#rows}}<span class="soft">{{.}}</span>{{/rows}} {{#time}}<span>{{.}} ms</span>{{/time}}</div>
        <pre>{{text}}</pre>
        {{#error}}<p class="warning">{{.}}</p>{{/error}}
        {{#hasDetails}}<details><summary>Values</summary>
        <ul>{{#details}}<li><code>{{.}}</code></li>{{/details}}</ul></details>{{/hasDetails}}
        {{#hasPlan}}<details><summary>Plan</summary>
        <ul>{{#plan}}<li><code>{{.}}</code></li>{{/plan}}</ul></details>{{/hasPlan}}
        </li>
        {{/steps}}
        {{^steps}}<li>Nothing took part in it but middleware.</li>{{/steps}}
        </ol>
        {{#dropped}}<p class="warning">{{.}} further steps found no room.</p>{{/dropped}}
        {{/detail}}
        {{#hasRoutes}}
        <ul>
        {{#routes}}
        <li><div class="row"><strong>{{method}}</strong> <code class="grow">{{path}}</code>
        <span class="soft">{{source}}</span></div>
        {{#middleware}}<p class="soft">inside {{.}}</p>{{/middleware}}
        {{#isTryable}}<form action="/_roost/try"><input name="path" value="{{path}}" aria-label="Path for {{path}}">
        <button aria-label="Try {{method}} {{path}}">Try {{method}}</button></form>{{/isTryable}}
        {{#isSent}}<form action="/_roost/routes" data-method="{{method}}">
        <input name="path" value="{{path}}" aria-label="Path for {{method}} {{path}}">
        <button aria-label="Send {{method}} {{path}}">Send {{method}}</button>
        <textarea name="body" rows="2" aria-label="Body for {{method}} {{path}}: JSON or a form"></textarea>
        <output></output></form>{{/isSent}}
        </li>
        {{/routes}}
        </ul>
        {{/hasRoutes}}
        {{#hasPart}}
        <ul id="rows" data-live>
        {{#part}}
        <li class="row"><strong>{{title}}</strong> <span class="grow">{{text}}</span>
        {{#warning}}<span class="warning">{{.}}</span>{{/warning}}</li>
        {{/part}}
        {{^part}}<li>There is nothing.</li>{{/part}}
        </ul>
        {{/hasPart}}
        {{#hasSettings}}
        <p class="soft">The settings of the server, those that the program has read itself, and their sources.</p>
        <ul>
        {{#settings}}
        <li class="row"><code class="grow">{{name}}</code>
        <code>{{value}}</code> <span class="soft">{{origin}}</span></li>
        {{/settings}}
        </ul>
        {{/hasSettings}}
        {{/content}}
        {{/layout}}
        """
}
