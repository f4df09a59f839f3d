import Foundation
import FrameCore
import Jobs

extension FuzzTarget {
    /// Jobs in JSON.
    static let job = FuzzTarget("job") { bytes in
        let job = try Conversion(json: Data(bytes))
        let again = try Conversion(json: Data(job.json.utf8))
        require(again == job, "a job read back differs from the one written")
        _ = try job.checkedChain(.serial)
    }
}
