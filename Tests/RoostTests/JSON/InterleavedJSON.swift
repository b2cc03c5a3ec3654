/// An object that is written through many open containers at once, in a random order that depends on its seed.
///
/// Arrays have no super encoders here: FoundationEssentials counts and places these only when they are released; ours
/// does so when they are requested.
struct InterleavedJSON: Encodable {
    let seed: UInt64

    private enum Writer {
        case object(KeyedEncodingContainer<AnyJSONKey>)
        case array(any UnkeyedEncodingContainer)
        case vacant(any Encoder)
    }

    func encode(to encoder: any Encoder) throws {
        var generator = SplitMix64(seed: seed)
        var writers = [Writer.object(encoder.container(keyedBy: AnyJSONKey.self))]
        for step in 0..<30 {
            let index = Int.random(in: 0..<writers.count, using: &generator)
            switch writers[index] {
            case .object(let container):
                writers += try write(to: container, AnyJSONKey(stringValue: "k\(step)\""), &generator)
            case .array(let container): writers += try write(to: container, &generator)
            case .vacant(let encoder):
                writers.remove(at: index)
                writers += try fill(encoder, &generator)
            }
        }
    }

    private func write(
        to container: KeyedEncodingContainer<AnyJSONKey>, _ key: AnyJSONKey, _ generator: inout SplitMix64
    ) throws -> [Writer] {
        var container = container
        switch Int.random(in: 0...6, using: &generator) {
        case 0: try container.encode(7, forKey: key)
        case 1: try container.encode("text", forKey: key)
        case 2: try container.encode(RandomJSONValue.random(depth: 1, using: &generator), forKey: key)
        case 3: return [.object(container.nestedContainer(keyedBy: AnyJSONKey.self, forKey: key))]
        case 4: return [.array(container.nestedUnkeyedContainer(forKey: key))]
        default: return [.vacant(container.superEncoder(forKey: key))]
        }
        return []
    }

    private func write(
        to container: any UnkeyedEncodingContainer, _ generator: inout SplitMix64
    ) throws -> [Writer] {
        var container = container
        switch Int.random(in: 0...4, using: &generator) {
        case 0: try container.encode(container.count)
        case 1: try container.encode("text")
        case 2: try container.encode(RandomJSONValue.random(depth: 1, using: &generator))
        case 3: return [.object(container.nestedContainer(keyedBy: AnyJSONKey.self))]
        default: return [.array(container.nestedUnkeyedContainer())]
        }
        return []
    }

    private func fill(_ encoder: any Encoder, _ generator: inout SplitMix64) throws -> [Writer] {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: return [.object(encoder.container(keyedBy: AnyJSONKey.self))]
        case 1: return [.array(encoder.unkeyedContainer())]
        case 2:
            var container = encoder.singleValueContainer()
            try container.encode("one \"value\"")
        default: try RandomJSONValue.random(depth: 1, using: &generator).encode(to: encoder)
        }
        return []
    }
}
