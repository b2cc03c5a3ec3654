// The page's own files, as texts, so that they are in the program: nothing comes from elsewhere, and a content security
// policy of the site itself is enough.

extension DescriptionPage {
    /// The files beside the page: their names, types and texts.
    static let files = [
        ("style.css", "text/css; charset=utf-8", style), ("try.js", "text/javascript; charset=utf-8", script),
    ]

    /// The page in Mustache.
    static let template = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{title}}</title>
        <link rel="stylesheet" href="{{style}}">
        <script src="{{script}}" defer></script>
        </head>
        <body>
        <header>
        <h1>{{title}} <small>{{version}}</small></h1>
        {{#about}}<p>{{about}}</p>{{/about}}
        <p><a href="{{document}}">{{document}}</a> is this description for programs (OpenAPI 3.1).</p>
        {{#needsToken}}
        <form id="token-form" hidden><label for="token">API token for the requests that you try</label>
        <input id="token" type="password" autocomplete="off" spellcheck="false"></form>
        {{/needsToken}}
        </header>
        <nav aria-label="Requests"><ul>
        {{#sections}}{{#operations}}
        <li><a href="#{{id}}"><b class="{{method}}">{{methodName}}</b> <span>{{path}}</span></a></li>
        {{/operations}}{{/sections}}
        </ul></nav>
        <main>
        {{#sections}}
        <h2>{{name}}</h2>
        {{#operations}}
        <article id="{{id}}" data-method="{{methodName}}" data-path="{{path}}" data-type="{{bodyType}}">
        <h3><b class="{{method}}">{{methodName}}</b> <span>{{path}}</span></h3>
        {{#isDeprecated}}<p class="deprecated">Deprecated: do not use it any more.</p>{{/isDeprecated}}
        {{#summary}}<p class="summary">{{summary}}</p>{{/summary}}
        {{#details}}<p>{{details}}</p>{{/details}}
        {{#credentials}}<p>Needs: {{credentials}}.</p>{{/credentials}}
        {{#hasParameters}}
        <h4>Parameters</h4>
        <dl>{{#parameters}}<div><dt><code>{{name}}</code>{{#isRequired}} <em>required</em>{{/isRequired}}</dt>
        <dd>{{type}}, in the {{place}}{{#text}}. {{text}}{{/text}}</dd></div>{{/parameters}}</dl>
        {{/hasParameters}}
        {{#hasBody}}
        <h4>Body, <code>{{bodyType}}</code></h4>
        <pre>{{body}}</pre>
        {{/hasBody}}
        <h4>Responses</h4>
        <dl>{{#responses}}<div><dt><b>{{status}}</b></dt><dd>{{text}}
        {{#headers}}<br><code>{{name}}</code>: {{text}}{{/headers}}
        {{#schema}}<pre>{{schema}}</pre>{{/schema}}</dd></div>{{/responses}}</dl>
        {{#isTryable}}
        <details hidden><summary>Try it</summary>
        <form>
        {{#parameters}}<label for="{{id}}">{{name}}{{#isRequired}} (required){{/isRequired}}</label>
        <input id="{{id}}" name="{{name}}" data-place="{{part}}"{{#isRequired}} required{{/isRequired}}>
        {{/parameters}}
        {{#hasBody}}<label for="{{id}}-body">Body</label>
        <textarea id="{{id}}-body" rows="6" spellcheck="false">{{example}}</textarea>{{/hasBody}}
        <button>Send {{methodName}}</button>
        </form>
        <output aria-live="polite"></output>
        </details>
        {{/isTryable}}
        </article>
        {{/operations}}
        {{/sections}}
        <h2>Types</h2>
        {{#types}}<section id="type-{{name}}"><h3>{{name}}</h3><pre>{{schema}}</pre></section>{{/types}}
        </main>
        </body>
        </html>

        """

    private static let style = """
        :root { color-scheme: light dark;
          --ground: #f3f7f5; --surface: #fff; --ink: #14292e; --soft: #4b6066; --line: #cfdcd8; --link: #0b5c6b;
          --safe: #0b5c6b; --adds: #1d6b2f; --changes: #7a4a00; --removes: #a8201a; --on: #fff; }
        @media (prefers-color-scheme: dark) { :root {
          --ground: #0e191d; --surface: #16262b; --ink: #e5efec; --soft: #a5b8b6; --line: #2b4147; --link: #86d3e2;
          --safe: #86d3e2; --adds: #93d9a3; --changes: #f0c27a; --removes: #ffb3a8; --on: #0e191d; } }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 1rem; }
        body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 78rem; background: var(--ground);
          color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { margin: 0 0 .5rem; font-size: clamp(1.6rem, 1.2rem + 2vw, 2.4rem); line-height: 1.2; }
        h1 small { color: var(--soft); font-size: .6em; font-weight: 400; }
        h2 { margin: 2rem 0 .75rem; font-size: 1.35rem; }
        h3 { margin: 0 0 .5rem; font-size: 1.1rem; line-height: 1.4; }
        h4 { margin: 1rem 0 .35rem; font-size: .95rem; color: var(--soft); }
        h3 span, nav span, code, pre, textarea, input { font-family: ui-monospace, Menlo, Consolas, monospace;
          font-size: .9375rem; }
        p { margin: 0 0 .5rem; }
        a { color: var(--link); }
        a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible,
        textarea:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        nav ul { margin: 1rem 0; padding: 0; list-style-type: ""; }
        nav a { display: flex; gap: .5rem; align-items: baseline; padding: .375rem 0; text-decoration: none; }
        nav span { text-decoration: underline; }
        b.get, b.head, b.options, b.query { --method: var(--safe); }
        b.post { --method: var(--adds); }
        b.put, b.patch { --method: var(--changes); }
        b.delete { --method: var(--removes); }
        h3 b, nav b { display: inline-block; min-width: 4.5em; padding: .1rem .4rem; border-radius: 4px;
          background: var(--method, var(--soft)); color: var(--on); font-size: .8125rem; text-align: center; }
        article, section { margin-bottom: 1rem; padding: 1rem; background: var(--surface);
          border: 1px solid var(--line); border-radius: 8px; }
        .summary { font-weight: 600; }
        .deprecated { color: var(--removes); font-weight: 600; }
        dl { margin: 0; }
        dl div { padding: .35rem 0; border-top: 1px solid var(--line); }
        dd { margin: 0; color: var(--soft); }
        dt em { color: var(--removes); font-size: .875rem; font-style: normal; }
        pre { margin: .35rem 0; padding: .6rem .75rem; overflow-x: auto; background: var(--ground); color: var(--ink);
          border-radius: 6px; white-space: pre-wrap; }
        details { margin-top: 1rem; }
        summary { padding: .5rem 0; color: var(--link); font-weight: 600; cursor: pointer; }
        label { display: block; margin: .6rem 0 .2rem; font-size: .9375rem; }
        input, textarea { width: 100%; padding: .55rem .6rem; background: var(--ground); color: var(--ink);
          border: 1px solid var(--soft); border-radius: 6px; }
        button { margin: .75rem 0; padding: .65rem 1.1rem; border: 0; border-radius: 6px; background: var(--link);
          color: var(--on); font: inherit; font-weight: 600; cursor: pointer; }
        @media (min-width: 60rem) {
          body { display: grid; grid-template-columns: 19rem 1fr; gap: 0 2rem; }
          header { grid-column: 1 / -1; }
          nav { position: sticky; top: 1rem; align-self: start; max-height: 95vh; overflow-y: auto; }
          main > h2:first-child { margin-top: 1rem; }
          dl div { display: grid; grid-template-columns: 9rem 1fr; gap: 1rem; }
        }

        """

    private static let script = """
        // Sends the requests that are tried, and shows what comes back. Texts are only ever set as texts.
        const token = document.querySelector("#token")
        if (token) {
          token.form.hidden = false
          token.form.addEventListener("submit", event => event.preventDefault())
        }
        for (const article of document.querySelectorAll("article")) {
          const details = article.querySelector("details")
          if (!details) continue
          details.hidden = false
          details.querySelector("form").addEventListener("submit", event => {
            event.preventDefault()
            send(article, details)
          })
        }
        async function send(article, details) {
          const output = details.querySelector("output")
          const { method, path, type } = article.dataset
          let url = path
          const query = new URLSearchParams()
          const headers = { Accept: "application/json, application/problem+json" }
          for (const input of details.querySelectorAll("input")) {
            const { place } = input.dataset
            if (place === "path" || place === "segments") {
              const parts = place === "path" ? [input.value] : input.value.split("/")
              url = url.replace(`{${input.name}}`, () => parts.map(encodeURIComponent).join("/"))
            } else if (input.value && place === "query") query.append(input.name, input.value)
            else if (input.value) headers[input.name] = input.value
          }
          if (token?.value) headers.Authorization = `Bearer ${token.value}`
          const body = details.querySelector("textarea")?.value
          if (body !== undefined) headers["Content-Type"] = type
          if (query.size) url += `?${query}`
          output.replaceChildren("…")
          try {
            const start = performance.now()
            const response = await fetch(url, { method, headers, body })
            const text = await response.text()
            const took = Math.round(performance.now() - start)
            show(output, `${method} ${url}: ${response.status} ${response.statusText}, ${took} ms`,
              [...response.headers].map(field => field.join(": ")).join("\\n"), pretty(text))
          } catch (error) {
            show(output, `${method} ${url}: ${error.message}`)
          }
        }
        function pretty(text) {
          try { return JSON.stringify(JSON.parse(text), null, 2) } catch { return text }
        }
        function show(output, line, ...blocks) {
          const first = document.createElement("p")
          first.textContent = line
          output.replaceChildren(first, ...blocks.filter(block => block).map(block => {
            const pre = document.createElement("pre")
            pre.textContent = block
            return pre
          }))
        }

        """
}
