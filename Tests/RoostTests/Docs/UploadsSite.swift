import Roost
import RoostSQL

// The programs of docs/uploads.md.

struct PhotoInput: Decodable, Validatable {
    var title: String
    var photo: UploadedFile?

    mutating func validate(_ check: inout Validation) {
        check("title", &title, .trimmed, .required, .length(...80))
        check("photo", photo, .required("Choose a photo."))
    }
}

struct PhotoController: Controller {
    static let all = Path("/photos")
    static let one = Path("/photos/{name}", String.self)

    let photos: any FileStore

    func routes(_ routes: Routes) {
        routes.post(Self.all, body: .streamed, use: create)
        routes.get(Self.one, use: show)
    }

    func create(_ request: Request) async throws -> Response {
        let limits = MultipartLimits(maximumPartSize: 5 << 20)
        return try await request.handleForm(PhotoInput.self, limits: limits) { input in
            guard let photo = input.photo, let header = try await photo.imageHeader() else {
                throw HTTPError(.unsupportedMediaType, field: "photo", "This is not a picture.")
            }
            guard max(header.width, header.height) <= 4096 else {
                throw HTTPError(.unprocessableContent, field: "photo", "At most 4,096 pixels a side.")
            }
            let name = "\(UInt64.random(in: 0 ... .max)).\(header.format.rawValue)"
            try await photos.save(photo, as: name)
            return .redirect(to: Self.one.url(name))
        } invalid: { form in
            View("photos/new", NewPhotoPage(title: form["title"], error: form.error.parts.map(\.message)))
        }
    }

    func show(_ request: Request, name: String) async throws -> Response {
        guard let suffix = name.utf8.split(separator: UInt8(ascii: ".")).last,
            let format = ImageHeader.Format(rawValue: String(Substring(suffix))),
            var response = try await photos.response(
                to: request, for: name, contentType: "image/\(format.mediaType.subtype)")
        else { throw HTTPError(.notFound) }
        response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        return response
    }
}

struct NewPhotoPage: Encodable {
    var title = ""
    var error: [String] = []
}

struct KeptPhoto: Codable, Sendable {
    let title: String
    let path: String
}

struct PhotoAPI: Controller {
    static let all = Path("/api/photos")

    let photos: any FileStore

    func routes(_ routes: Routes) {
        routes.post(Self.all, body: .streamed, use: create)
            .describe("Adds a photo.", body: PhotoInput.self, status: .created)
    }

    func create(_ request: Request) async throws -> JSON<KeptPhoto> {
        let input = try await request.decode(PhotoInput.self, limits: MultipartLimits(maximumPartSize: 5 << 20))
        guard let photo = input.photo, let format = try await photo.imageHeader()?.format else {
            throw HTTPError(.unsupportedMediaType, field: "photo", "This is not a picture.")
        }
        let name = "\(UInt64.random(in: 0 ... .max)).\(format.rawValue)"
        try await photos.save(photo, as: name)
        let path = PhotoController.one.url(name)
        return JSON(KeptPhoto(title: input.title, path: path), status: .created, headers: [.location: path])
    }
}

/// A site with photos in `/var/lib/roost/photos`, or another folder, which is made here if it is not there.
func photoSite(_ path: String, _ templates: Templates) throws -> Application {
    let photos = FolderFileStore(path)
    try photos.open()
    return try Application(templates: templates) { routes in
        routes.add(PhotoController(photos: photos))
    }
}

/// For a job of each night: removes the photos that no row names.
func removeLeftovers(in photos: any FileStore, _ database: Database) async throws {
    try await photos.removeUnused(olderThan: .hours(1)) { names in
        Set(try await database.query("SELECT name FROM photos WHERE name IN \(list: names)", as: String.self))
    }
}

struct FilmController: Controller {
    func routes(_ routes: Routes) {
        routes.post(Path("/films"), body: .streamed) { request in
            var sizes: [String: Int] = [:]
            for try await part in try request.multipart(MultipartLimits(maximumSize: 4 << 30)) {
                for try await piece in part { sizes[part.name, default: 0] += piece.count }
            }
            return JSON(sizes)
        }
    }
}
