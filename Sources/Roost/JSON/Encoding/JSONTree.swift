/// The values of a document that is written out of order. Each has its own node, so any container can be written to
/// until its value has been encoded.
///
/// A name or a scalar is written to the document's buffer, as usual, and the tree takes it from there at once.
final class JSONTree {
    /// Why a second value in one place is refused.
    static let second = "A second value was written in one place."

    /// What a serial number stands for: the place that a container or encoder writes to.
    private struct Place {
        let node: JSONNode
        /// Which `encode(to:)` it belongs to.
        let frame: Int
    }

    private let root = JSONNode(depth: 0)
    /// The places, by serial number; the first has ``firstSerial``.
    private var places: [Place] = []
    private let firstSerial: Int
    /// For each `encode(to:)`, whether it is running.
    private var isRunning: [Bool] = []
    /// The node whose value is being written, and the frame that it is written in.
    private var current: JSONNode
    private var frame = 0

    /// - Parameter firstSerial: The first serial number that no place has had yet.
    init(firstSerial: Int) {
        self.firstSerial = firstSerial
        current = root
    }

    /// The last serial number that a place has.
    var lastSerial: Int { firstSerial + places.count - 1 }

    /// Writes the whole text of a value.
    func write<Value: Encodable>(_ value: Value, to document: JSONDocument) throws {
        var writer = JSONWriter(document, serial: begin(root))
        try writer.fill(with: value)
        root.append(to: document.buffer)
    }

    /// The path to the value that is being written.
    var currentPath: [any CodingKey] { current.codingPath }

    /// How many arrays and objects are around the value that is being written.
    var depth: Int { current.depth }

    func codingPath(to serial: Int) -> [any CodingKey] { place(serial)?.node.codingPath ?? [] }

    func count(of serial: Int) -> Int { place(serial)?.node.children.count ?? 0 }

    /// A serial number for the vacant node that was added last, whose value may be written later.
    func reserve() -> Int { place(current, frame) }

    /// Adds a member or element to a place.
    func add(
        to serial: Int, in document: JSONDocument, _ writeName: (() -> Void)?, _ writeValue: () throws -> Void
    ) throws {
        let place = try writable(serial, in: document)
        writeName?()
        let child = place.node.addChild(named: take(from: document.buffer))
        do { try write(child, in: place.frame, document.buffer, writeValue) } catch {
            place.node.remove(child)
            throw error
        }
    }

    /// Writes the only value of a place.
    func fill(_ serial: Int, in document: JSONDocument, _ writeValue: () throws -> Void) throws {
        let place = try writable(serial, in: document)
        guard place.node.kind == .vacant else { throw misuse(Self.second, at: place.node) }
        try write(place.node, in: place.frame, document.buffer, writeValue)
    }

    /// Makes a place an object or an array.
    func turn(_ serial: Int, into kind: JSONPlace.Kind, in document: JSONDocument) throws {
        let node = try writable(serial, in: document).node
        if node.kind == kind { return }
        guard node.kind == .vacant else { throw misuse(Self.second, at: node) }
        guard node.depth < document.coder.maximumDepth else {
            throw misuse(document.tooDeep, at: node)
        }
        node.kind = kind
    }

    /// Lets a value write itself into the node that is being written.
    func append<Value: Encodable>(_ value: Value, in document: JSONDocument) throws {
        let node = current
        let serial = begin(node)
        let frame = frame
        defer { isRunning[frame] = false }
        do { try document.encode(value, to: JSONWriter(document, serial: serial)) } catch {
            node.empty()
            throw error
        }
        if node.kind == .vacant { node.kind = .object }
    }

    /// Begins an `encode(to:)` that writes to a node. Returns the serial number for its encoder.
    private func begin(_ node: JSONNode) -> Int {
        frame = isRunning.count
        isRunning.append(true)
        return place(node, frame)
    }

    private func place(_ node: JSONNode, _ frame: Int) -> Int {
        places.append(Place(node: node, frame: frame))
        return lastSerial
    }

    private func write(
        _ node: JSONNode, in frame: Int, _ buffer: ByteBuffer, _ writeValue: () throws -> Void
    ) throws {
        let outer = (current, self.frame)
        (current, self.frame) = (node, frame)
        defer { (current, self.frame) = outer }
        do { try writeValue() } catch {
            buffer.removeAll()
            throw error
        }
        let text = take(from: buffer)
        if !text.isEmpty { (node.text, node.kind) = (text, .scalar) }
    }

    private func take(from buffer: ByteBuffer) -> [UInt8] {
        defer { buffer.removeAll() }
        return buffer.bytes
    }

    private func place(_ serial: Int) -> Place? {
        places.indices.contains(serial - firstSerial) ? places[serial - firstSerial] : nil
    }

    private func writable(_ serial: Int, in document: JSONDocument) throws -> Place {
        guard let place = place(serial), isRunning[place.frame] else {
            throw document.failure ?? misuse("A container was used after its value had been encoded.", at: current)
        }
        return place
    }

    private func misuse(_ reason: String, at node: JSONNode) -> EncodingError {
        .invalidValue((), .init(codingPath: node.codingPath, debugDescription: reason))
    }
}
