public import FrameCore
public import Foundation

/// YUV4MPEG2 streams as bytes, for feeding programs and reading their output: 4:2:0, 4:2:2, 4:4:4 and monochrome.
public enum Y4M {
    public static func encode(_ pictures: [PixelBuffer], rate: Rational = Rational(25, 1), extra: String = "") throws
        -> Data
    {
        guard let first = pictures.first else { return Data() }
        let depth = first.format.bitDepth
        let deep = depth == 8 ? "" : first.format.subsampling == .monochrome ? "\(depth)" : "p\(depth)"
        let tag =
            switch first.format.subsampling {
            case .yuv420: deep.isEmpty ? "420jpeg" : "420"
            case .yuv422: "422"
            case .yuv444: "444"
            case .monochrome: "mono"
            }
        var data = Data(
            "YUV4MPEG2 W\(first.width) H\(first.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C\(tag)\(deep)\(extra)\n"
                .utf8)
        for picture in pictures {
            data += Data("FRAME\n".utf8)
            data += payload(picture)
        }
        return data
    }

    /// The samples of all planes, one after another, without padding.
    public static func payload(_ picture: PixelBuffer) -> Data {
        picture.withPlanes { planes in
            var data = Data()
            for index in 0..<planes.count {
                let plane = planes[index]
                for y in 0..<plane.height {
                    data.append(Data(bytes: plane.row(y), count: plane.width * planes.format.bytesPerSample))
                }
            }
            return data
        }
    }

    /// The header line and the payload of each frame; nil if the stream is malformed.
    public static func decode(_ data: Data) -> (header: String, frames: [Data])? {
        guard let end = data.firstIndex(of: 10),
            let header = String(data: data[data.startIndex..<end], encoding: .ascii),
            header.hasPrefix("YUV4MPEG2 ")
        else { return nil }
        func number(_ key: Character) -> Int? {
            header.split(separator: " ").dropFirst().first { $0.first == key }.flatMap { Int($0.dropFirst()) }
        }
        guard let width = number("W"), let height = number("H") else { return nil }
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let chroma =
            header.contains("Cmono")
            ? 0
            : header.contains("C444")
                ? 2 * width * height : header.contains("C422") ? 2 * halfWidth * height : 2 * halfWidth * halfHeight
        let isDeep = ["p9", "p1", "mono1", "mono9"].contains { header.contains($0) }
        let size = (width * height + chroma) * (isDeep ? 2 : 1)
        var frames: [Data] = []
        var position = end + 1
        while position < data.endIndex {
            guard let line = data[position...].firstIndex(of: 10),
                data[position..<line].starts(with: Data("FRAME".utf8)),
                line + 1 + size <= data.endIndex
            else { return nil }
            frames.append(Data(data[line + 1..<line + 1 + size]))
            position = line + 1 + size
        }
        return (header, frames)
    }
}
