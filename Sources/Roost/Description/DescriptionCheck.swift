import HTTPTypes
import Logging

/// Middleware that compares each response with the description of its route: in development, so that a description
/// that is wrong is noticed before others rely on it.
struct DescriptionCheck: Middleware {
    let document: APIDocument
    let logger: Logger

    /// Responds, and notes what differs in a field of the response and in the log.
    func respond(to request: Request, next: Next) async throws -> Response {
        var request = request
        let decoded = DecodedTypes()
        request[DecodedTypes.Key.self] = decoded
        var response = try await next(request)
        let method = method(of: request)
        // Pages, and what their forms get, are for people.
        guard !request.prefersPage, !request.isForm, let route = request.route,
            let operation = document.operations["\(method) \(route)"]
        else {
            return response
        }
        let faults =
            decoded.faults(of: operation)
            + self.faults(of: response, operation, request)
        guard !faults.isEmpty else { return response }
        let text = "\(request.method) \(route) differs from its description: \(faults.joined(separator: "; "))."
        logger.error("\(LogText.escaped(text))")
        response.headers[.descriptionMismatch] = String(
            decoding: text.utf8.prefix(1000).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") },
            as: UTF8.self)
        return response
    }

    /// The method of the route that responds: a `GET` route handles `HEAD`, too.
    private func method(of request: Request) -> HTTPRequest.Method {
        request.method == .head ? .get : request.method
    }

    private func faults(of response: Response, _ operation: DescribedOperation, _ request: Request) -> [String] {
        let status = response.status.code
        // Of what is described with 200 a client may ask for a part (RFC 9110 §14), which need not be JSON by itself.
        let isPart =
            status == 206 && request.method == .get && operation.responses["206"] == nil
            && request.headers.contains(.range)
        let own = operation.responses[isPart ? "200" : "\(status)"]
        guard let described = own ?? (status >= 400 ? operation.responses["default"] : nil) else {
            // A client that has the response already asks whether it has changed (RFC 9110 §15.4.5).
            if status == 304, method(of: request) == .get { return [] }
            return ["it responded \(status), which is not described"]
        }
        guard request.method != .head, status != 304, response.headers[.contentEncoding] == nil else { return [] }
        let content = document.json.resolved(described)["content"]
        guard let content else {
            let isKnown = own == nil || status >= 400
            return response.body.count == 0 || isKnown ? [] : ["it has content, which is not described"]
        }
        let media = MediaType(response.headers[.contentType] ?? "")
        let type = media?.essence ?? "no type"
        let range = media.flatMap { content["\($0.type)/*"] }
        guard let schema = (content[type] ?? range)?["schema"] else {
            return ["its content is \(type), which is not described"]
        }
        // Of a file and a stream, the type is all that is known before they are sent.
        guard type.hasSuffix("json"), !isPart, let bytes = try? response.body.bytesInMemory else { return [] }
        // What is written has no limits but that of depth.
        let coder = JSONCoder(
            maximumDepth: request.jsonCoder.maximumDepth, maximumMembers: .max, maximumValues: .max)
        guard let value = try? coder.decode(JSONValue.self, from: bytes) else { return ["it is not JSON"] }
        var check = SchemaCheck(document.json)
        check.check(value, schema)
        return check.faults
    }
}

extension DecodedTypes {
    /// The inputs that a handler has read and that are described otherwise.
    fileprivate func faults(of operation: DescribedOperation) -> [String] {
        all.compactMap { one in
            let described = one.isQuery ? operation.query : operation.body
            guard described != ObjectIdentifier(one.type) else { return nil }
            let what = one.isQuery ? "query" : "body"
            return described == nil
                ? "it decodes \(one.type) from the \(what), which is not described"
                : "it decodes \(one.type) from the \(what), but another type is described"
        }
    }
}

extension MediaType {
    /// The type and the subtype, as a description names them: `text/csv`.
    var essence: String { "\(type)/\(subtype)" }
}

extension HTTPField.Name {
    /// Tells, in development, how a response differs from its description.
    package static let descriptionMismatch = known("Description-Mismatch")
}
