internal import ArgumentParser
internal import Thumbnails

/// Names on the command line for which pixels are shown.
enum ApertureName: String, ExpressibleByArgument, CaseIterable { case clean, production, encoded }

extension ImageGenerator.ApertureMode {
    /// As named on the command line.
    init(_ name: ApertureName) {
        switch name {
        case .clean: self = .cleanAperture
        case .production: self = .productionAperture
        case .encoded: self = .encodedPixels
        }
    }
}
