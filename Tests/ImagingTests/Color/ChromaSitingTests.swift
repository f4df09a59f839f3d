import FrameCore
import Imaging
import Testing

@Suite struct ChromaSitingTests {
    @Test(arguments: [
        (ColorDescription.ChromaLocation.left, -0.5, 0.0), (.unspecified, -0.5, 0.0), (.center, 0.0, 0.0),
        (.topLeft, -0.5, -0.5), (.top, 0.0, -0.5), (.bottomLeft, -0.5, 0.5), (.bottom, 0.0, 0.5),
    ])
    func locationsArePlaces(_ location: ColorDescription.ChromaLocation, _ horizontal: Double, _ vertical: Double) {
        let siting = ChromaSiting(location)
        #expect(siting.horizontal == horizontal && siting.vertical == vertical)
    }
}
