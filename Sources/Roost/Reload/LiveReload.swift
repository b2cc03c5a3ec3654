import Glibc
import HTTPTypes

// `scripts/dev` names a file in RELOAD_FILE, and adds to it when a template or a style has changed. The run of the
// program and the size of that file are a state, by which each page is marked. Its script follows an event stream that
// says what the state is now, and loads the page again when that is another one: so no change is missed, whether it
// comes while the page is being loaded, or while the program is built again.

/// Loads the pages that browsers show again when the program or one of its files has changed: in development only, and
/// only under `scripts/dev`.
package struct LiveReload: Filter {
    private let file: String
    /// Names this run of the program.
    private let run = "\(UInt64.random(in: 0...UInt64.max))"

    package static let scriptPath = "/_roost/reload.js"
    package static let eventsPath = "/_roost/reload"

    /// The element that loads the script, for a page that was made in a state.
    package static func element(_ state: String) -> String {
        "<script src=\"\(scriptPath)\" data-state=\"\(state)\" defer></script>\n"
    }

    /// The key of the state in which a page was asked for.
    private enum Key: RequestKey { typealias Value = String }

    /// Creates the part that reloads pages; nil unless the program runs under `scripts/dev`.
    init?(_ variables: [String: String], in environment: Environment) {
        guard environment == .development, let file = variables["RELOAD_FILE"], !file.isEmpty else { return nil }
        self.file = file
    }

    package func before(_ request: inout Request) throws -> Response? {
        switch request.path {
        case Self.scriptPath:
            return Response(
                .ok,
                headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
                body: Body(Self.script)
            )
        case Self.eventsPath: return .events { events in try await follow(events) }
        default:
            request[Key.self] = state
            return nil
        }
    }

    /// Adds the script to a page. No browser keeps that: it would show an old state again, and load it without end.
    package func after(_ response: inout Response, to request: Request) throws {
        guard let type = response.headers[.contentType], type.hasPrefix("text/html"), !response.body.isStream,
            response.body.count ?? 0 > 0, response.headers[.contentEncoding] == nil, let state = request[Key.self]
        else { return }
        response.body = Body(try response.body.bytesInMemory + Self.element(state).utf8)
        response.headers[.cacheControl] = "no-store"
    }

    /// The state of the program: this run, and the size of the file.
    private var state: String {
        var status = stat()
        return stat(file, &status) == 0 ? "\(run).\(status.st_size)" : run
    }

    /// Sends the state now, and whenever the file is written.
    private func follow(_ events: EventWriter) async throws {
        let watch = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard watch >= 0, let loop = EventLoop.current else { return }
        defer { close(watch) }
        // The watch reports writes from here on; the state includes those before.
        _ = inotify_add_watch(watch, file, UInt32(IN_CLOSE_WRITE))
        var space = [UInt8](repeating: 0, count: 4096)
        while true {
            try await events.send(ServerSentEvent(state, event: "state"))
            _ = try await loop.wait(for: [.readable], of: watch)
            _ = read(watch, &space, space.count)
        }
    }

    /// A browser would wait for seconds before it connects again. It has six connections to a host, which are not for
    /// pages that nobody sees.
    package static let script = """
        // Loads this page again when the program or its files have changed (scripts/dev).
        (() => {
          const { state } = document.currentScript.dataset;
          let events;
          const connect = () => {
            events?.close();
            if (document.hidden) return;
            events = new EventSource("\(eventsPath)");
            events.addEventListener("state", (event) => {
              if (event.data !== state) location.reload();
            });
            events.addEventListener("error", () => {
              events.close();
              setTimeout(connect, 200);
            });
          };
          document.addEventListener("visibilitychange", connect);
          connect();
        })();

        """
}
