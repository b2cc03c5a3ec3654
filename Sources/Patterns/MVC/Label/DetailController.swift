import PatternCore
import PatternScreens
import Roost

/// The controller of the second screen: it loads the detail from the repository, and can be dismissed.
struct DetailController: Controller {
    static let detail = Path("/patterns/mvc/label/detail")

    let repository: DetailRepository

    func routes(_ routes: Routes) {
        routes.get(Self.detail, use: loadData)
        routes.post(Self.detail, use: goBack)
    }

    func loadData(_ request: Request) throws -> Response {
        var page = CardPage(title: "Detail", buttons: [.dismiss])
        page.text = repository.loadData().name
        return try request.screen(page)
    }

    func goBack(_ request: Request) -> Response {
        trace()
        return .redirect(to: LabelController.label.url())
    }
}
