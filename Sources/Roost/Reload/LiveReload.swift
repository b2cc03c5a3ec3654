import Glibc
import HTTPTypes

// `scripts/dev` names a file in RELOAD_FILE, and writes to it when a template or a style has changed. A page has a
// script that follows an event stream. It loads the page again when the stream says that a file has changed, or when it
// comes from another run of the program than before: then the program has been built again, or could not be.

/// Loads the pages that browsers show again when the program or one of its files has changed: in development only, and
/// only under `scripts/dev`.
package struct LiveReload: ImmediateMiddleware {
    private let file: String
    /// Names this run of the program.
    private let run = "\(UInt64.random(in: 0...UInt64.max))"

    package static let scriptPath = "/_roost/reload.js"
    package static let eventsPath = "/_roost/reload"

    /// The element that loads the script.
    package static let element = "<script src=\"\(scriptPath)\" defer></script>\n"

    /// Nil unless the program runs under `scripts/dev`.
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
        case Self.eventsPath:
            return .events { [file, run] events in try await Self.follow(file, run, events) }
        default: return nil
        }
    }

    package func after(_ response: inout Response, to request: Request) throws {
        guard let type = response.headers[.contentType], type.hasPrefix("text/html"), !response.body.isStream,
            response.body.count ?? 0 > 0, response.headers[.contentEncoding] == nil
        else { return }
        response.body = Body(try response.body.bytes + Self.element.utf8)
    }

    /// Sends an event now, and one for each change of the file.
    private static func follow(_ file: String, _ run: String, _ events: EventWriter) async throws {
        let watch = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard watch >= 0, let loop = EventLoop.current else { return }
        defer { close(watch) }
        _ = inotify_add_watch(watch, file, UInt32(IN_CLOSE_WRITE))
        try await events.send(ServerSentEvent(run, event: "run"))
        var space = [UInt8](repeating: 0, count: 4096)
        while true {
            _ = try await loop.wait(for: [.readable], of: watch)
            _ = read(watch, &space, space.count)
            try await events.send(ServerSentEvent(run, event: "change"))
        }
    }

    /// A browser would wait for seconds before it connects again.
    package static let script = """
        // Loads this page again when the program or its files have changed (scripts/dev).
        (() => {
          let run;
          const connect = () => {
            const events = new EventSource("\(eventsPath)");
            events.addEventListener("run", (event) => {
              if (run && run !== event.data) location.reload();
              run = event.data;
            });
            events.addEventListener("change", () => location.reload());
            events.addEventListener("error", () => {
              events.close();
              setTimeout(connect, 200);
            });
          };
          connect();
        })();

        """
}
