import FrameCore
import Testing
import vfx

/// Recording times are read from files, so they may be anything.
@Suite struct WallTimeTests {
    @Test(arguments: [
        ("2015-03-01T12:00:00.000000Z", Int64(1_425_211_200_000) as Int64?),
        ("2015-03-01T12:00:00Z", 1_425_211_200_000),
        ("1970-01-01T00:00:00Z", nil), ("1904-01-01T00:00:00Z", nil), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ("99999999999-01-01T00:00:00Z", nil), ("yesterday", nil), ("", nil),
    ])
    func timesOfRecordingAreRead(text: String, milliseconds: Int64?) {
        #expect(StillMetadata.wallTime(text) == milliseconds.map { MediaTime(value: $0, timescale: 1000) })
    }
}
