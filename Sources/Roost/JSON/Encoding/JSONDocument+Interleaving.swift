/// What is written out of order.
///
/// A place that is open but not innermost closes what is inside it and goes on. A place that is closed already has its
/// new member written at the end of the text as usual, and the bytes are then moved before its closing bracket, with
/// the offsets of all other places. That costs time in proportion to the text, and only for code that asks for it.
///
/// While such a member is being written, nothing outside it may be (`floor`), and an error inside it fails the
/// document, since its text can no longer be taken back by shortening the buffer.
import Glibc

extension JSONDocument {
    /// Prepares for writing to a container that is not the innermost open place; nil when that is done by closing what
    /// is inside it.
    @inline(never)
    func leaveOrder(for serial: Int) throws -> JSONDetour? {
        let index = try writable(serial)
        guard places[index].pointee.isOpen else {
            return beginInsertion(at: index, before: places[index].pointee.end, replacing: 0)
        }
        if index < active { isInterleaved = true }
        close(downTo: index)
        return nil
    }

    /// Prepares for writing the value of a place that was closed while it was vacant.
    @inline(never)
    func leaveOrderForScalar(at serial: Int) throws -> JSONDetour {
        let index = try writable(serial)
        try requireVacant(serial)
        return beginInsertion(at: index, before: places[index].pointee.start, replacing: 2)
    }

    private func beginInsertion(at index: Int, before target: Int, replacing replaced: Int) -> JSONDetour {
        let detour = JSONDetour(
            place: index, target: target, replaced: replaced, start: buffer.count, outerTop: top, outerFloor: floor)
        isInterleaved = true
        turn(to: index)
        floor = places.count
        return detour
    }

    /// Moves what was written at the end of the text to where it belongs.
    @inline(never)
    func returnToOrder(from detour: JSONDetour) throws {
        close(downTo: detour.place)
        let added = buffer.count - detour.start
        move(from: detour.start, to: detour.target, replacing: detour.replaced)
        shift(
            from: detour.target + detour.replaced, by: added - detour.replaced, newest: floor,
            movedBy: detour.target - detour.start)
        if detour.replaced > 0 { places[detour.place].pointee.end = detour.target + added - 1 }
        turn(to: detour.outerTop)
        floor = detour.outerFloor
    }

    /// Fails the document because of an error whose text cannot be taken back.
    func fail(_ error: any Error, _ detour: JSONDetour?) -> any Error {
        failure = failure ?? error
        if let detour {
            turn(to: detour.outerTop)
            floor = detour.outerFloor
        }
        return error
    }

    @inline(never)
    func containerOddly(_ kind: JSONPlace.Kind, at serial: Int) -> Int {
        do {
            try turn(serial, into: kind)
            return serial
        } catch {
            failure = failure ?? error
            return Self.nowhere
        }
    }

    /// Makes a place an object or an array that is one already, or was closed while it was vacant.
    private func turn(_ serial: Int, into kind: JSONPlace.Kind) throws {
        let index = try writable(serial)
        let place = places[index]
        if place.pointee.kind == kind {
            isShared = true
            return
        }
        guard place.pointee.kind == .vacant else {
            throw misuse("A second value was written in one place.", at: index)
        }
        guard place.pointee.depth < coder.maximumDepth else {
            throw misuse("The value is nested deeper than \(coder.maximumDepth) levels.", at: index)
        }
        place.pointee.kind = kind
        if kind == .array { memcpy(buffer.base + place.pointee.start, "[]", 2) }
    }

    /// Refuses a second value in a place.
    func requireVacant(_ serial: Int) throws {
        if serial == topSerial, places[top].pointee.kind == .vacant { return }
        let index = try writable(serial)
        guard places[index].pointee.kind == .vacant, !places[index].pointee.isOpen else {
            throw misuse("A second value was written in one place.", at: index)
        }
    }

    private func writable(_ serial: Int) throws -> Int {
        guard let index = places.index(of: serial) else {
            throw failure ?? misuse("A container was used after its value had been encoded.", at: nil)
        }
        guard index >= floor else {
            throw misuse("A container was used inside a value that belongs elsewhere.", at: index)
        }
        return index
    }

    private func misuse(_ reason: String, at index: Int?) -> EncodingError {
        let path = index.map { codingPath(of: $0) } ?? []
        return .invalidValue((), .init(codingPath: path, debugDescription: reason))
    }

    /// Moves the end of the text before what follows `target`, where it replaces some bytes.
    private func move(from start: Int, to target: Int, replacing replaced: Int) {
        let moved = Array(UnsafeBufferPointer(start: buffer.base + start, count: buffer.count - start))
        let rest = target + replaced
        memmove(buffer.base + target + moved.count, buffer.base + rest, start - rest)
        moved.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress { memcpy(buffer.base + target, source, bytes.count) }
        }
        buffer.truncate(to: buffer.count - replaced)
    }

    /// Corrects the offsets of the places: the newest moved with the text, the others made room for it.
    private func shift(from offset: Int, by room: Int, newest: Int, movedBy distance: Int) {
        for index in 0..<places.count {
            let place = places[index]
            let isMoved = index >= newest
            if isMoved || place.pointee.start >= offset { place.pointee.start += isMoved ? distance : room }
            if isMoved || place.pointee.end >= offset { place.pointee.end += isMoved ? distance : room }
        }
    }
}
