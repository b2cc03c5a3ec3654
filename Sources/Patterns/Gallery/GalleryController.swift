import PatternCore
import Roost

/// The pages about all patterns.
struct GalleryController: Controller {
    static let index = Path("/patterns")
    static let beside = Path("/patterns/beside")

    func routes(_ routes: Routes) {
        routes.get(Self.index) { _ in View("patterns/index", ComparisonPage()) }
        routes.get(Self.beside, use: beside)
    }

    /// `GET /patterns/beside?left=mvc&right=viper`
    func beside(_ request: Request) throws -> some ResponseConvertible {
        let (left, right) = (try pattern("left", .mvc, request), try pattern("right", .viper, request))
        return View("patterns/beside", BesidePage(left, right))
    }

    private func pattern(_ name: String, _ other: Pattern, _ request: Request) throws -> Pattern {
        guard let text = request.query[name] else { return other }
        guard let pattern = Pattern(rawValue: text), Chapter.of(pattern).login != nil else {
            throw HTTPError(.notFound, "No login is built with \(text).")
        }
        return pattern
    }
}
