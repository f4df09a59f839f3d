import Foundation
import FrameCore
import TestSupport
import Testing

@Suite struct FrameMetadataTests {
    /// Holds ``Frame/Metadata/complete``, and so the tests that use it, to every property there is.
    @Test func theCompleteExampleSetsEveryProperty() {
        let unset = Frame.Metadata(presentationTime: .zero)
        for (set, unset) in [
            (Mirror(reflecting: Frame.Metadata.complete), Mirror(reflecting: unset)),
            (Mirror(reflecting: Frame.Metadata.complete.color), Mirror(reflecting: unset.color)),
        ] {
            for (set, unset) in zip(set.children, unset.children) {
                let name = set.label ?? ""
                #expect(String(reflecting: set.value) != String(reflecting: unset.value), "\(name) is at its default")
            }
        }
    }

    @Test func everyPropertyIsEncoded() throws {
        let data = try JSONEncoder().encode(Frame.Metadata.complete)
        #expect(try JSONDecoder().decode(Frame.Metadata.self, from: data) == .complete)
    }
}
