import PatternCore
import PatternScreens
import Roost

/// The controller of the first screen: a label, and a button that leads to the detail.
struct LabelController: Controller {
    static let label = Path("/patterns/mvc/label")

    func routes(_ routes: Routes) {
        routes.get(Self.label, use: loadData)
        routes.post(Self.label, use: goToDetail)
    }

    func loadData(_ request: Request) throws -> Response {
        var page = CardPage(title: "Label", buttons: [.next])
        page.text = "Home"
        return try request.screen(page)
    }

    func goToDetail(_ request: Request) -> Response {
        trace()
        return .redirect(to: DetailController.detail.url())
    }
}
