import Glibc
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostTLS

/// Tries that fail or come too often, and what else may delay a certificate.
extension RenewalTests {
    @Test func `after a success, nothing is ordered for a while`() async throws {
        let certificates = certificates()
        // The clock of this machine is years ahead, so that each certificate is due at once.
        pass(3 * 365 * 86_400)
        for _ in 0..<50 {
            _ = await certificates.step()
            pass(60)
        }
        #expect(issued == 1)
        pass(6 * 3600)
        _ = await certificates.step()
        #expect(issued == 2)
    }

    @Test func `what one instance has been given, another does not order again`() async throws {
        let (mine, other) = (certificates(), certificates())
        for one in [mine, other] { try await one.start() }
        // The clock of this machine is years ahead, so that each certificate is due at once.
        pass(3 * 365 * 86_400)
        _ = await mine.step()
        for _ in 0..<50 {
            _ = await other.step()
            pass(60)
        }
        #expect(issued == 1)
        pass(6 * 3600)
        for one in [other, mine] { _ = await one.step() }
        #expect(issued == 2)
    }

    @Test func `instances that start together try once`() async throws {
        let all = [certificates(), certificates(), certificates()]
        authority.state.withLock { $0.otherName = "other.test" }
        for one in all { try await one.start() }
        for one in all { _ = await one.step() }
        #expect(orders == 1)
        pass(70)
        for one in all { _ = await one.step() }
        #expect(orders == 2)
        // One that starts later tries at once.
        _ = await certificates().step()
        #expect(orders == 3)
    }

    @Test func `a clock that was years ahead keeps no certificate back once it is right`() async throws {
        let certificates = certificates()
        authority.state.withLock { $0.otherName = "other.test" }
        pass(3 * 365 * 86_400)
        _ = await certificates.step()
        #expect(orders == 1 && issued == 0)
        pass(-3 * 365 * 86_400)
        authority.state.withLock { $0.otherName = nil }
        for _ in 0..<3 {
            _ = await certificates.step()
            pass(60)
        }
        #expect(issued == 1)
    }

    @Test func `the failures that another instance has ended are forgotten`() async throws {
        let (mine, other) = (certificates(), certificates())
        authority.state.withLock { $0.otherName = "other.test" }
        for _ in 0..<3 {
            _ = await mine.step()
            pass(6 * 3600 + 3000)
            try await other.refresh()
        }
        #expect(other.state.withLock { $0.tries.count } == 3)
        authority.state.withLock { $0.otherName = nil }
        _ = await mine.step()
        try await other.refresh()
        #expect(other.state.withLock { $0.facts } != nil)
        #expect(other.state.withLock { $0.tries.count } == 0)
    }

    /// As another program may leave them.
    @Test func `numbers that no failure can have stored keep no certificate back`() async throws {
        let text = #"{"count":9223372036854775807,"time":5,"notBefore":9223372036854775807}"#
        let name = certificates().certificateName.replacing("certificate.pem", with: "tries.json")
        try await storage.write(Array(text.utf8), as: name)
        let left = UnfinishedOrder(url: "x", hosts: ["a.test"], key: "y", begun: .min)
        let certificates = certificates()
        try await storage.write(try JSONCoder().encode(left), as: certificates.orderName)
        authority.state.withLock { $0.otherName = "other.test" }
        _ = await certificates.step()
        #expect(orders == 1 && issued == 0)
        #expect(certificates.state.withLock { $0.tries.count } == 1001)
        authority.state.withLock { $0.otherName = nil }
        pass(6 * 3600 + 3000)
        _ = await certificates.step()
        #expect(issued == 1)
    }

    @Test func `a full disk does not make tries more frequent, nor costs a certificate`() async throws {
        let certificates = certificates()
        authority.state.withLock { $0.otherName = "other.test" }
        _ = await certificates.step()
        #expect(orders == 1)
        pass(70)
        storage.isFull.withLock { $0 = true }
        for _ in 0..<12 {
            _ = await certificates.step()
            pass(10)
        }
        #expect(orders == 2)

        authority.state.withLock { $0.otherName = nil }
        pass(300)
        for _ in 0..<12 {
            _ = await certificates.step()
            pass(10)
        }
        #expect(issued == 1)
        #expect(certificates.hasWhole)
        #expect(storage.read(certificates.certificateName) == nil)
        storage.isFull.withLock { $0 = false }
        _ = await certificates.step()
        #expect(storage.read(certificates.certificateName) == certificates.state.withLock { $0.text })
        #expect(issued == 1)
    }

    @Test(arguments: [true, false])
    func `an answer that is no certificate, or one for another key, is called that`(isPage: Bool) async throws {
        let certificates = certificates()
        let other = String(decoding: try TestCertificate("a.test").certificate, as: UTF8.self)
        authority.state.withLock { $0.otherDownload = isPage ? "<h1>Welcome</h1>" : other }
        _ = await certificates.step()
        let reason = "No certificate for a.test: The authority has sent no usable certificate."
        #expect(log.all.contains { $0.hasPrefix(reason) }, "\(log.all)")
        #expect(storage.read(certificates.orderName) == nil)
        authority.state.withLock { $0.otherDownload = nil }
        pass(70)
        _ = await certificates.step()
        #expect(certificates.hasWhole)
    }

    @Test(arguments: [(-10, "is not valid before "), (100, "has expired: ")])
    func `one that browsers refuse is an error when it is taken`(days: Int, fault: String) async throws {
        let certificates = certificates()
        let made = try TestCertificate("a.test")
        try await storage.write(made.key + made.certificate, as: certificates.certificateName)
        pass(days * 86_400)
        try await certificates.refresh()
        #expect(log.allWithLevels.contains { $0.hasPrefix("error The certificate for a.test \(fault)") })
        #expect(!log.all.contains { $0.contains(" is in use until ") })
    }

    @Test func `a certificate is stored late only under the lock, and never over a newer one`() async throws {
        let (certificates, other) = (certificates(), certificates())
        authority.state.withLock { $0.otherName = "other.test" }
        _ = await certificates.step()
        authority.state.withLock { $0.otherName = nil }
        pass(3600)
        storage.isFull.withLock { $0 = true }
        _ = await certificates.step()
        #expect(issued == 1 && certificates.hasWhole)
        storage.isFull.withLock { $0 = false }
        try await storage.alone {
            try await storage.write([1], as: certificates.orderName)
            #expect(await certificates.step() == .seconds(2))
            #expect(storage.read(certificates.orderName) == [1])
            #expect(storage.read(certificates.certificateName) == nil)
        }
        try await storage.remove(certificates.orderName)
        pass(86_400)
        _ = await other.step()
        #expect(issued == 2)
        _ = await certificates.step()
        let stored = storage.read(certificates.certificateName)
        #expect(stored == other.state.withLock { $0.text })
        #expect(stored == certificates.state.withLock { $0.text })
    }
}
