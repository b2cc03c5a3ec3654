/// The first bytes of a file that may be a picture.
struct ImageSource {
    /// Up to 32 bytes.
    let first: [UInt8]
    /// The size of the file, in bytes.
    let count: Int

    /// A number of several bytes, the highest first.
    static func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// A number of several bytes, the lowest first.
    static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    private func has(_ bytes: some Collection<UInt8>, at offset: Int) -> Bool {
        first.count >= offset + bytes.count && first[offset...].starts(with: bytes)
    }

    /// PNG §5.2, §11.2.1: the signature; then a chunk `IHDR` of 13 bytes, which begins with width and height.
    var png: ImageHeader? {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard first.count >= 24, has(signature, at: 0), has([0, 0, 0, 13], at: 8), has("IHDR".utf8, at: 12) else {
            return nil
        }
        return ImageHeader(.png, Self.bigEndian(first[16..<20]), Self.bigEndian(first[20..<24]))
    }

    /// The most blocks before a GIF's first frame that are looked at; a text has one for each 255 bytes.
    private static let maximumBlocks = 10_000

    /// GIF89a §17 to §20, §23 to §26: the signature and a version, a screen, a table of colours, extensions, and the
    /// first frame. Browsers enlarge the screen to that frame, so the larger of both counts.
    ///
    ///     extension = %x21 label(1) *( length(1) … ) %x00
    ///     frame     = %x2C left(2) top(2) width(2) height(2) …
    func gif(_ read: (Range<Int>) throws -> [UInt8]) rethrows -> ImageHeader? {
        guard first.count >= 10, has("GIF87a".utf8, at: 0) || has("GIF89a".utf8, at: 0) else { return nil }
        let (width, height) = (Self.littleEndian(first[6..<8]), Self.littleEndian(first[8..<10]))
        let flags = first.count > 10 ? first[10] : 0
        var offset = 13 + (flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7))
        var isInExtension = false
        for _ in 0..<Self.maximumBlocks {
            let bytes = try read(min(offset, count)..<min(offset + 9, count))
            switch bytes.first {
            case let length? where isInExtension:
                offset += 1 + Int(length)
                isInExtension = length > 0
            case 0x21:
                offset += 2
                isInExtension = true
            case 0x2C where bytes.count == 9:
                let frame = (width: Self.littleEndian(bytes[5..<7]), height: Self.littleEndian(bytes[7..<9]))
                // A screen of nothing has no size, whatever is on it.
                guard width > 0, height > 0 else { return nil }
                return ImageHeader(.gif, max(width, frame.width), max(height, frame.height))
            case nil, 0x2C, 0x3B: return ImageHeader(.gif, width, height)  // without any frame
            default: return nil  // some programs skip what is unknown, and others do not
            }
        }
        return nil
    }

    /// RFC 9649 §2.4 to §2.7: `RIFF`, a size, `WEBP`; then the first chunk, one of three kinds.
    var webp: ImageHeader? {
        guard first.count >= 30, has("RIFF".utf8, at: 0), has("WEBP".utf8, at: 8) else { return nil }
        if has("VP8X".utf8, at: 12) {
            // The size of the canvas, less one, after flags of four bytes.
            return ImageHeader(.webp, Self.littleEndian(first[24..<27]) + 1, Self.littleEndian(first[27..<30]) + 1)
        }
        if has("VP8L".utf8, at: 12), first[20] == 0x2F {
            // 14 bits each, less one (RFC 9649 §3.4).
            let bits = Self.littleEndian(first[21..<25])
            return ImageHeader(.webp, bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        // The frame's tag of three bytes, a start code, and 14 bits each (RFC 6386 §9.1).
        guard has("VP8 ".utf8, at: 12), has([0x9D, 0x01, 0x2A], at: 23) else { return nil }
        let (width, height) = (Self.littleEndian(first[26..<28]), Self.littleEndian(first[28..<30]))
        return ImageHeader(.webp, width & 0x3FFF, height & 0x3FFF)
    }

    /// The most segments that are looked at; cameras write a dozen.
    private static let maximumSegments = 1000

    /// T.81 §B.1, §B.2: segments, each with a marker and a length, until one that begins a frame.
    ///
    ///     segment = 1*%xFF marker length(2) …
    ///     frame   = 1*%xFF ( SOF0…SOF15 without DHT, JPG, DAC ) length(2) precision(1) height(2) width(2) …
    func jpeg(_ read: (Range<Int>) throws -> [UInt8]) rethrows -> ImageHeader? {
        guard has([0xFF, 0xD8, 0xFF], at: 0) else { return nil }
        var offset = 2
        for _ in 0..<Self.maximumSegments {
            let bytes = try read(min(offset, count)..<min(offset + 10, count))
            guard bytes.count >= 4, bytes[0] == 0xFF else { return nil }
            switch bytes[1] {
            case 0xFF: offset += 1  // it fills
            case 0xC4, 0xC8, 0xCC, 0xDB...0xFE:
                let length = Self.bigEndian(bytes[2..<4])
                guard length >= 2 else { return nil }
                offset += 2 + length
            case 0xC0...0xCF:
                guard bytes.count >= 9 else { return nil }
                return ImageHeader(.jpeg, Self.bigEndian(bytes[7..<9]), Self.bigEndian(bytes[5..<7]))
            default: return nil  // the picture itself, or its end, before any frame
            }
        }
        return nil
    }
}
