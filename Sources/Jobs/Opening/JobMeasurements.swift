package import FrameCore
package import Imaging
package import Pipeline

/// What has been measured in the whole input before a run, so that every process that makes a part of it uses the same.
package struct JobMeasurements: Sendable, Hashable {
    /// How strongly the input was compressed; nil if it has not been measured.
    package var compression: SourceCompression?
    /// The film grain that encoders store or that is written to a file; nil if it has not been measured.
    package var grain: FilmGrainTable?
    /// How its frames consist of fields; nil if that does not matter or has not been found out.
    package var fields: FieldStructure?
    /// How often it shows a new picture; nil if that does not matter or has not been found out.
    package var pictures: PictureRate?

    /// Creates an empty record.
    package init(
        compression: SourceCompression? = nil, grain: FilmGrainTable? = nil, fields: FieldStructure? = nil,
        pictures: PictureRate? = nil
    ) {
        self.pictures = pictures
        self.fields = fields
        self.compression = compression
        self.grain = grain
    }
}
