/// The place where one value of a page is written.
///
/// A place is nil until something is written there. It belongs to one rendering; do not keep it after `write(to:)`. An
/// error does not stop the writing: the rendering throws the first one afterwards.
public struct TemplateSlot {
    let tape: TemplateTape
    private(set) var cell: UInt32
    /// How many containers this place is in.
    let depth: UInt32

    /// The place of a whole page, of the values that every page has, or of a value inside an encoded one.
    init(tape: TemplateTape, root: UInt32) {
        self.init(tape: tape, cell: root, depth: UInt32(clamping: tape.depth))
    }

    private init(tape: TemplateTape, cell: UInt32, depth: UInt32) {
        self.tape = tape
        self.cell = cell
        self.depth = depth
    }

    /// Whether what is written here counts. It does not when the page has too many values, or nests them too deeply.
    @usableFromInline var isOpen: Bool { cell != 0 }

    // MARK: A plain value

    /// Makes this a text.
    public func set(_ value: String) { tape.set(cell, value) }

    /// Makes this a Boolean.
    public func set(_ value: Bool) { tape.set(cell, value) }

    /// Makes this a whole number.
    public func set(_ value: Int) { tape.set(cell, Int64(value)) }

    /// Makes this a number. Whole numbers below 10¹⁶ show no decimal point.
    public func set(_ value: Double) { tape.set(cell, value) }

    /// Makes this a function that a template can call.
    public func set(_ lambda: TemplateLambda) { tape.set(cell, lambda) }

    /// Makes this whatever an `Encodable` encodes. If that throws, the rendering throws the error.
    public func set(encoding value: some Encodable) {
        guard isOpen else { return }
        let outer = tape.depth
        tape.depth = max(outer, Int(depth))
        defer { tape.depth = outer }
        do {
            try TemplateEncoder(tape: tape, cell: cell).write(value)
        } catch {
            tape.fail(error)
        }
    }

    // MARK: Fields

    /// Adds a field to the object here.
    @inlinable
    public func add(_ name: StaticString, _ value: some TemplateData) {
        let slot = field(name)
        if slot.isOpen { value.write(to: slot) }
    }

    /// Adds a text to the object here.
    public func add(_ name: StaticString, _ value: String) { tape.set(fieldCell(name), value) }

    /// Adds a text, or nil, to the object here.
    public func add(_ name: StaticString, _ value: String?) {
        let cell = fieldCell(name)
        if let value { tape.set(cell, value) }
    }

    /// Adds a whole number to the object here.
    public func add(_ name: StaticString, _ value: Int) { tape.set(fieldCell(name), Int64(value)) }

    /// Adds a Boolean to the object here.
    public func add(_ name: StaticString, _ value: Bool) { tape.set(fieldCell(name), value) }

    /// Adds a number to the object here. Whole numbers below 10¹⁶ show no decimal point.
    public func add(_ name: StaticString, _ value: Double) { tape.set(fieldCell(name), value) }

    /// Adds a function that a template can call to the object here.
    public func add(_ name: StaticString, _ lambda: TemplateLambda) { tape.set(fieldCell(name), lambda) }

    /// Adds whatever an `Encodable` encodes to the object here. If that throws, the rendering throws the error.
    public func add(_ name: StaticString, encoding value: some Encodable) { field(name).set(encoding: value) }

    /// Adds a field to the object here and returns its place, for names from the source code.
    public func field(_ name: StaticString) -> TemplateSlot {
        member(fieldCell(name))
    }

    @inline(__always)
    private func fieldCell(_ name: StaticString) -> UInt32 {
        tape.open(cell, as: .object)
        return tape.add(tape.names.id(name), to: cell)
    }

    /// Adds a field to the object here and returns its place, for names that are data.
    public func field(named name: String) -> TemplateSlot {
        openObject()
        return member(tape.add(tape.names.id(name), to: cell))
    }

    /// Makes this an object. That is needed only if it may have no fields.
    public func openObject() { tape.open(cell, as: .object) }

    // MARK: Elements

    /// Adds an element to the list here.
    @inlinable
    public func append(_ value: some TemplateData) {
        let slot = element()
        if slot.isOpen { value.write(to: slot) }
    }

    /// Adds an element to the list here and returns its place.
    public func element() -> TemplateSlot {
        openList()
        return member(tape.add(0, to: cell))
    }

    /// A place for the elements of the list here, one after the other.
    @usableFromInline
    var elements: TemplateSlot { TemplateSlot(tape: tape, cell: 0, depth: depth &+ 1) }

    /// Moves a place on to a new element of the list here. Returns whether what is written there counts.
    @usableFromInline
    func begin(_ element: inout TemplateSlot) -> Bool {
        guard depth < UInt32(clamping: tape.limits.depth) else { return tooDeep().isOpen }
        element.cell = tape.add(0, to: cell)
        return element.isOpen
    }

    @inline(__always)
    private func member(_ cell: UInt32) -> TemplateSlot {
        guard depth < UInt32(clamping: tape.limits.depth) else { return tooDeep() }
        return TemplateSlot(tape: tape, cell: cell, depth: depth &+ 1)
    }

    @inline(never)
    private func tooDeep() -> TemplateSlot {
        tape.fail(.tooDeep(tape.limits))
        return TemplateSlot(tape: tape, cell: 0, depth: depth)
    }

    /// Makes this a list. That is needed only if it may have no elements.
    public func openList() { tape.open(cell, as: .list) }
}
