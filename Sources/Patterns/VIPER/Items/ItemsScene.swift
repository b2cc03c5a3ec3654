import PatternScreens
import Roost

/// The entry of the items: each request starts the wireframe of the screen that its path names.
struct ItemsScene: Controller {
    func routes(_ routes: Routes) {
        routes.get(CountWireframe.first) { request in
            try await request.navigate { CountWireframe($0, index: 0).createModule().viewDidLoad() }
        }
        routes.get(CountWireframe.item) { request, index in
            try await request.navigate { CountWireframe($0, index: index).createModule().viewDidLoad() }
        }
        routes.post(CountWireframe.first) { request in try await press(request, 0) }
        routes.post(CountWireframe.item) { request, index in try await press(request, index) }
        routes.get(CountWireframe.detail) { request, index in
            try await request.navigate { DetailWireframe($0, index: index).createModule().viewDidLoad() }
        }
        routes.post(CountWireframe.detail) { request, index in
            try await request.navigate { DetailWireframe($0, index: index).createModule().dismissAction() }
        }
    }

    private func press(_ request: Request, _ index: Int) async throws -> Response {
        let form = try request.decode(CardForm.self)
        return try await request.navigate { navigation in
            let view = CountWireframe(navigation, index: index).createModule()
            if form.action == .detail { view.showDetail() } else { view.showNext() }
        }
    }
}
