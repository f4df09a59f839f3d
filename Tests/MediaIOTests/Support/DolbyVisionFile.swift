import FrameCore
import MediaIO
import Testing

/// Writes an mp4 file of HEVC whose sample entry says what a configuration record says.
func makeDolbyVision(
    _ name: String, profile: UInt8, compatibility: UInt8, hasBaseLayer: Bool = true, in folder: TemporaryFolder
) throws -> String {
    let path = folder(name)
    try write(try clip(ticks: [0, 1, 2]), to: path, options: .init(codec: .hevc, preset: "ultrafast"))
    let flags: UInt8 = 0b100 | (hasBaseLayer ? 1 : 2)
    let record: [UInt8] = [1, 0, profile << 1, 6 << 3 | flags, compatibility << 4] + Array(repeating: 0, count: 19)
    var movie = try bytes(of: path)
    let kind = profile > 7 ? "dvvC" : "dvcC"
    let box = [0, 0, 0, 32] + Array(kind.utf8) + record
    var places: [Int] = [try start(of: "hvc1", in: movie, before: movie.count)]
    for outer in ["stsd", "stbl", "minf", "mdia", "trak", "moov"] {
        places.append(try start(of: outer, in: movie, before: try #require(places.last)))
    }
    let end = places[0] + size(at: places[0], movie)
    for place in places {
        let grown = size(at: place, movie) + box.count
        for index in 0..<4 { movie[place + index] = UInt8(grown >> (24 - 8 * index) & 255) }
    }
    movie.insert(contentsOf: box, at: end)
    return try folder.write(movie, to: name)
}

private func start(of kind: String, in movie: [UInt8], before end: Int) throws -> Int {
    let name = Array(kind.utf8)
    let found = stride(from: end - 4, through: 4, by: -1).first { movie[$0..<$0 + 4].elementsEqual(name) }
    return try #require(found) - 4
}

private func size(at place: Int, _ movie: [UInt8]) -> Int {
    movie[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
}
