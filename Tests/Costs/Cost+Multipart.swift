@testable import Roost

extension Cost {
    /// Forms with files, and pictures.
    static var multipart: [Cost] {
        table("multipart", budget: 300, multipartInputs) { bytes in
            var limits = MultipartLimits(maximumSize: .max)
            limits.maximumParts = .max
            limits.maximumHeaderSize = .max
            limits.maximumFileNameSize = .max
            guard var parser = try? MultipartParser(boundary: "X", limits: limits) else { return }
            try? parser.receive(Array(bytes))
            while let event = try? parser.next() {
                if case .content(let piece) = event { result += piece.count }
            }
        }
            + table("multipart in pieces of one byte", budget: 1500, lineInputs) { bytes in
                var limits = MultipartLimits(maximumSize: .max)
                limits.maximumHeaderSize = .max
                guard var parser = try? MultipartParser(boundary: "X", limits: limits) else { return }
                for byte in bytes {
                    try? parser.receive([byte])
                    while (try? parser.next()) != nil { result += 1 }
                }
            }
            + table("languages", budget: 400, field: "Accept-Language", languageInputs) { request in
                result += request.preferredLanguage(of: ["en", "de", "pt-BR"])?.utf8.count ?? 0
            }
    }

    private static let part = "--X\r\nContent-Disposition: form-data; name=a\r\n\r\n"

    private static let multipartInputs = [
        Input("one file", part, repeating: "a", "\r\n--X--"),
        Input("line ends", part, repeating: "\r\n", "\r\n--X--"),
        Input("carriage returns", part, repeating: "\r", "\r\n--X--"),
        Input("nearly delimiters", part, repeating: "\r\n--", "\r\n--X--"),
        Input("fields", repeating: part + "\r\n", "--X--"),
        Input("a preamble", repeating: "\r\n-"),
        Input("a long name", "--X\r\nContent-Disposition: form-data; name=\"", repeating: "%22", "\"\r\n\r\n\r\n--X--"),
        Input("parameters", "--X\r\nContent-Disposition: form-data; name=a", repeating: ";b=c", "\r\n\r\n\r\n--X--"),
        Input("many header fields", "--X\r\n", repeating: "a:b\r\n"),
    ]

    private static let lineInputs = [Input("a long header field", "--X\r\na:", repeating: "b")]

    private static let languageInputs = [
        Input("ranges", repeating: "en-US,"), Input("commas", repeating: ","),
        Input("weights", repeating: "de;q=0.123,"), Input("one long range", repeating: "a-"),
        Input("parameters", "de", repeating: ";a=b"),
    ]
}
