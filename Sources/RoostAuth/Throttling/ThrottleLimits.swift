import Roost

/// The limits for guessing passwords: the numbers of failed sign-ins after which the next one has to wait. After the
/// failure that reaches a limit, the next attempt has to wait for a second, then for 2, 4 and so on, up to
/// ``longestDelay``, whatever password it brings.
public struct ThrottleLimits: Sendable {
    /// The limit for one account from one address, or on one known device.
    public var failuresPerAccountAndAddress = 5
    /// The limit for one address, whatever accounts it tries.
    public var failuresPerAddress = 100
    /// The limit for one IPv6 /48, which one customer may have: 65,536 networks of /64, which each count as one
    /// address.
    public var failuresPerSite = 1000
    /// The limit for one account from one IPv6 /56, which a home is often given. It also holds for all known devices of
    /// the account at one address together, unless ``failuresPerAccountAndAddress`` is higher.
    public var failuresPerAccountAndHome = 10
    /// The limit for one account from one IPv6 /48. Without it, one customer could take all the attempts that
    /// unknown devices have at an attacked account.
    public var failuresPerAccountAndSite = 20
    /// The limit for one account from all addresses and unknown devices together. Beyond it, unknown devices have one
    /// attempt in ``accountSpacing``.
    public var failuresPerAccount = 10
    /// The time between attempts from unknown devices at an account that is attacked.
    public var accountSpacing = Duration.seconds(5)
    /// The longest that anybody has to wait.
    public var longestDelay = Duration.seconds(60)
    /// The time for which a failure counts, at most an hour: stores keep it no longer.
    public var window = Duration.seconds(15 * 60)
    /// The time for which stores keep failures.
    static let retention = Duration.hours(1)

    /// Creates the default limits.
    public init() {}

    var pair: ThrottleRule { growing(failuresPerAccountAndAddress) }
    var homePair: ThrottleRule { growing(failuresPerAccountAndHome) }
    /// The rule for all known devices of an account together: one of them alone may use up its own.
    var devices: ThrottleRule { growing(max(failuresPerAccountAndHome, failuresPerAccountAndAddress)) }
    var sitePair: ThrottleRule { growing(failuresPerAccountAndSite) }
    var address: ThrottleRule { growing(failuresPerAddress) }
    var site: ThrottleRule { growing(failuresPerSite) }

    var account: ThrottleRule {
        let spacing = Self.milliseconds(accountSpacing)
        return ThrottleRule(threshold: failuresPerAccount, window: counted, first: spacing, longest: spacing)
    }

    /// The time for which a failure counts, in milliseconds.
    private var counted: Int { Self.milliseconds(min(window, Self.retention)) }

    /// Longer than a year is as good as for ever.
    private static func milliseconds(_ duration: Duration) -> Int {
        min(max(duration, .zero), .hours(365 * 24)).wholeSeconds * 1000
    }

    private func growing(_ threshold: Int) -> ThrottleRule {
        let longest = Self.milliseconds(longestDelay)
        return ThrottleRule(threshold: threshold, window: counted, first: min(1000, longest), longest: longest)
    }
}

/// A rule that sets the delay after a number of failures; all times are in milliseconds.
struct ThrottleRule: Sendable, Equatable {
    /// The number of failures from which on there is a delay.
    let threshold: Int
    /// The time for which a failure counts.
    let window: Int
    /// The delay after the failure that reaches the threshold.
    let first: Int
    /// The longest delay, up to which each further failure doubles it.
    let longest: Int

    /// The greatest threshold: a history keeps the time of each failure.
    private static let maximumThreshold = 100_000

    /// The most bytes of a history's text: a time has 13 digits until the year 2286.
    static let maximumTextSize = 14 * (maximumThreshold + margin)

    /// Creates a rule. A threshold above 100,000 is one of 100,000.
    init(threshold: Int, window: Int, first: Int, longest: Int) {
        self.threshold = min(max(0, threshold), Self.maximumThreshold)
        self.window = window
        self.first = first
        self.longest = longest
    }

    /// The delay after a number of failures.
    func delay(after count: Int) -> Int {
        guard count >= threshold else { return 0 }
        return min(longest, first << min(16, count - threshold))
    }

    /// More failures than this make no difference: the delay is the longest already.
    var maximumCount: Int { threshold + Self.margin }

    private static let margin = 16
}
