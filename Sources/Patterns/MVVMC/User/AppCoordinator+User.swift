extension AppCoordinator {
    /// Begins the user's flow, at one of its screens.
    func startUser(screen: Int) -> UserCoordinator {
        let coordinator = UserCoordinator(navigation, parent: self, screen: max(1, screen))
        addChild(coordinator)
        return coordinator
    }
}
