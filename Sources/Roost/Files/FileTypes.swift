/// The media types of files by their suffix: those of the web, named as IANA registers them.
enum FileTypes {
    /// The media type for a path's suffix, of any case; `application/octet-stream` for one that is not known.
    static func type(of path: String) -> String {
        // The last dot, if no slash follows.
        guard let dot = path.utf8.lastIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }),
            path.utf8[dot] == UInt8(ascii: ".")
        else { return unknown }
        let suffix = path.utf8[dot...].dropFirst()
        guard suffix.count <= 16 else { return unknown }
        return types[String(decoding: suffix, as: UTF8.self).lowercased()] ?? unknown
    }

    /// Whether such content becomes notably smaller when it is compressed.
    static func isCompressible(_ type: String) -> Bool {
        if compressible.contains(where: { type.utf8.starts(with: $0.utf8) }) { return true }
        let name = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        return ["+json", "+xml"].contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    private static let unknown = "application/octet-stream"

    private static let compressible = [
        "text/", "application/json", "application/javascript", "application/xml", "application/wasm", "application/rtf",
        "image/x-icon", "image/bmp", "font/ttf", "font/otf", "application/vnd.ms-fontobject",
    ]

    private static let types = [
        // Text
        "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8", "htm": "text/html; charset=utf-8",
        "html": "text/html; charset=utf-8", "ics": "text/calendar; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "md": "text/markdown; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "shtml": "text/html; charset=utf-8",
        "txt": "text/plain; charset=utf-8", "vcf": "text/vcard; charset=utf-8", "vtt": "text/vtt; charset=utf-8",
        // Images
        "apng": "image/apng", "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "ico": "image/x-icon",
        "jpeg": "image/jpeg", "jpg": "image/jpeg", "jxl": "image/jxl", "png": "image/png", "svg": "image/svg+xml",
        "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        // Fonts
        "eot": "application/vnd.ms-fontobject", "otf": "font/otf", "ttc": "font/collection", "ttf": "font/ttf",
        "woff": "font/woff", "woff2": "font/woff2",
        // Sound and film
        "aac": "audio/aac", "flac": "audio/flac", "m4a": "audio/mp4", "m4v": "video/mp4", "mid": "audio/midi",
        "midi": "audio/midi", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg",
        "mpg": "video/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg",
        "ts": "video/mp2t", "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm",
        // Programs and data
        "atom": "application/atom+xml", "json": "application/json", "jsonld": "application/ld+json",
        "map": "application/json", "rss": "application/rss+xml", "wasm": "application/wasm",
        "webmanifest": "application/manifest+json", "xhtml": "application/xhtml+xml", "xml": "application/xml",
        // Documents and archives
        "7z": "application/x-7z-compressed", "bz2": "application/x-bzip2", "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "gz": "application/gzip", "jar": "application/java-archive",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
        "pdf": "application/pdf", "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "rtf": "application/rtf",
        "tar": "application/x-tar", "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xz": "application/x-xz",
        "zip": "application/zip",
    ]
}
