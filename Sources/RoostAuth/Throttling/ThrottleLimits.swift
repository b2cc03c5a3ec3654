import Roost

/// The numbers of failed sign-ins after which the next one has to wait, and the longest waits. After the failure that
/// reaches a limit, the next attempt has to wait for a second, then for 2, 4 and so on, up to ``longestDelay``,
/// whatever password it brings.
public struct ThrottleLimits: Sendable {
    /// The limit for one account from one address, or on one known device.
    public var failuresPerAccountAndAddress = 5
    /// The limit for one address, whatever accounts it tries.
    public var failuresPerAddress = 100
    /// The limit for one /48 of version 6, which is what one customer may have: 65,536 times what counts as an address.
    public var failuresPerSite = 1000
    /// The limit for one account from one /56 of version 6, which is what a home is often given.
    public var failuresPerAccountAndHome = 10
    /// The limit for one account from one /48 of version 6. Without it, one customer could take all the attempts that
    /// unknown devices have at an attacked account.
    public var failuresPerAccountAndSite = 20
    /// The limit for one account from all addresses and unknown devices together. Beyond it, unknown devices have one
    /// attempt in ``accountSpacing``.
    public var failuresPerAccount = 10
    /// The time between attempts from unknown devices at an account that is attacked.
    public var accountSpacing = Duration.seconds(5)
    /// The longest that anybody has to wait.
    public var longestDelay = Duration.seconds(60)
    /// The time for which a failure counts.
    public var window = Duration.seconds(15 * 60)

    /// The defaults.
    public init() {}

    var pair: ThrottleRule { growing(failuresPerAccountAndAddress) }
    var homePair: ThrottleRule { growing(failuresPerAccountAndHome) }
    var sitePair: ThrottleRule { growing(failuresPerAccountAndSite) }
    var address: ThrottleRule { growing(failuresPerAddress) }
    var site: ThrottleRule { growing(failuresPerSite) }

    var account: ThrottleRule {
        let spacing = accountSpacing.wholeSeconds * 1000
        return ThrottleRule(
            threshold: failuresPerAccount, window: window.wholeSeconds * 1000, first: spacing, longest: spacing)
    }

    private func growing(_ threshold: Int) -> ThrottleRule {
        let longest = longestDelay.wholeSeconds * 1000
        return ThrottleRule(
            threshold: threshold, window: window.wholeSeconds * 1000, first: min(1000, longest), longest: longest)
    }
}
