/// Which of the source's auxiliary streams are remuxed.
enum StreamSelection {
    case all, withoutData, none

    /// What to try when the container refuses this much.
    var less: StreamSelection? {
        switch self {
        case .all: .withoutData
        case .withoutData: StreamSelection.none
        case .none: nil
        }
    }
}
