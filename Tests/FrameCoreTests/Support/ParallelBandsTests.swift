import FrameCore
import Testing

@Suite struct ParallelBandsTests {
    @Test(arguments: [(0, 16), (1, 16), (16, 16), (17, 16), (50, 7)], [1, 3])
    func bandsCoverAllRowsOnce(_ size: (rows: Int, height: Int), threads: Int) {
        let bands = Lock<[Range<Int>]>([])
        parallelBands(size.rows, height: size.height, threads: threads) { band in bands.withLock { $0.append(band) } }
        let sorted = bands.withLock { $0 }.sorted { $0.lowerBound < $1.lowerBound }
        #expect(sorted.flatMap { Array($0) } == Array(0..<size.rows))
        #expect(sorted.dropLast().allSatisfy { $0.count == size.height })
    }
}
