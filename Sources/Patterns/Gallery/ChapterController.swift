import PatternCore
import PatternScreens
import Roost

/// The page about one pattern.
struct ChapterController: Controller {
    let pattern: Pattern

    func routes(_ routes: Routes) {
        routes.get(Path(pattern.path), use: show)
    }

    /// `GET /patterns/mvp`
    func show(_ request: Request) throws -> some ResponseConvertible {
        let calls = (try request.visitor["trace"] ?? "").split(separator: "\n").map(String.init)
        // Not stored, so that the Back button asks again, and shows what has been called since.
        return View("patterns/chapter", ChapterPage(pattern, calls: calls), headers: [.cacheControl: "no-store"])
    }
}
