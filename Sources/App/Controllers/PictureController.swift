import FoundationEssentials
import Roost

/// The pictures of users: everybody may see them, and those who have signed in may change them.
struct PictureController: Controller {
    static let picture = UserController.paths.one.appending("/picture")
    /// The address of the page's form to remove a picture, since a form can send only GET and POST.
    static let removal = picture.appending("/delete")

    /// The URL of a user's picture, another one for each picture, so that browsers show a new one; nil without one.
    static func url(of user: User) -> String? { user.picture.map { "\(picture.url(user.id))?v=\($0.prefix(8))" } }

    /// The most bytes of a picture: 2 MiB.
    static let maximumSize = 2 * 1024 * 1024
    /// The most pixels of each side.
    static let maximumSide = 4096

    /// A larger picture is read up to a point, so that a browser gets to see what is wrong with it.
    private static let limits = MultipartLimits(maximumSize: 8 * maximumSize, maximumPartSize: maximumSize)

    let users: any UserRepository
    let pictures: any FileStore
    /// The middleware that lets pass only those who may change pictures.
    let writers: any Middleware

    func routes(_ routes: Routes) {
        routes.get(Self.picture, use: show)
        routes.group(middleware: [writers]) { routes in
            routes.post(Self.picture, body: .streamed, use: upload)
            routes.delete(Self.picture, use: remove)
            routes.post(Self.removal, use: remove)
        }
    }

    /// `GET /users/3/picture`: the exact bytes that were uploaded. Even a browser that took them for something other
    /// than a picture could do nothing with them: the response forbids it.
    func show(_ request: Request, id: Int) async throws -> Response {
        guard let name = try await users.user(id)?.picture,
            let suffix = name.utf8.split(separator: UInt8(ascii: ".")).last,
            let format = ImageHeader.Format(rawValue: String(Substring(suffix))),
            var response = try await pictures.response(
                to: request, for: name, contentType: "image/\(format.mediaType.subtype)")
        else { throw Self.none(id) }
        response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'; sandbox"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    /// `POST /users/3/picture` with the field `picture`: sets the picture, or replaces it.
    func upload(_ request: Request, id: Int) async throws -> Response {
        guard let user = try await users.user(id) else { throw UserController.unknown(id) }
        return try await request.handleForm(PictureInput.self, limits: Self.limits) { input in
            guard let before = try await replace(with: input.picture, of: id) else { throw UserController.unknown(id) }
            guard request.prefersPage else {
                guard before.picture == nil else { return Response(.noContent) }
                return Response(.created, headers: [.location: Self.picture.url(id)])
            }
            try request.flash("\(before.name) has a new picture.")
            return .redirect(to: UserController.paths.one.url(id))
        } invalid: { form in
            View("users/show", UserPage(user, picture: form))
        }
    }

    /// `DELETE /users/3/picture`, or `POST /users/3/picture/delete` from the page's form.
    func remove(_ request: Request, id: Int) async throws -> Response {
        guard let before = try await users.setPicture(nil, of: id), let name = before.picture else {
            throw Self.none(id)
        }
        try? await pictures.remove(name)
        guard request.isForm else { return Response(.noContent) }
        try request.flash("The picture of \(before.name) was removed.")
        return .redirect(to: UserController.paths.one.url(id))
    }

    /// Keeps a picture under a new name, and then makes it the user's. Whatever fails after that, the file stays: the
    /// user may have it already, as when the reply to a COMMIT is lost. Those of nobody are removed each night
    /// (``Cleanup``).
    /// - Returns: The user as it was before; nil when there is none.
    private func replace(with picture: UploadedFile?, of id: Int) async throws -> User? {
        guard let picture else { return nil }
        let name = try await Self.fileName(for: picture)
        try await pictures.save(picture, as: name)
        let before = try await users.setPicture(name, of: id)
        // The one that nobody refers to any more.
        if let old = before == nil ? name : before?.picture { try? await pictures.remove(old) }
        return before
    }

    /// A name that was never used before, with the format's suffix.
    /// - Throws: `HTTPError` with 415 for another kind of file, 422 for a picture of too many pixels.
    private static func fileName(for picture: UploadedFile) async throws -> String {
        guard let header = try await picture.imageHeader() else {
            throw HTTPError(.unsupportedMediaType, field: "picture", "The picture must be a PNG, JPEG, GIF or WebP.")
        }
        guard max(header.width, header.height) <= maximumSide else {
            let size = "\(header.width) by \(header.height)"
            let message = "The picture may have at most 4,096 pixels a side; this one has \(size)."
            throw HTTPError(.unprocessableContent, field: "picture", message)
        }
        return "\(UUID().uuidString.lowercased()).\(header.format.rawValue)"
    }

    private static func none(_ id: Int) -> HTTPError { HTTPError(.notFound, "There is no picture of user \(id).") }
}

/// The field that a client sends to set a picture.
private struct PictureInput: Decodable, Validatable {
    var picture: UploadedFile?

    func validate(_ check: inout Validation) {
        check("picture", picture, .required("Choose a picture first."))
    }
}
