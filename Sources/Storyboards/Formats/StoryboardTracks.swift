internal import FrameCore

/// The text of each track format, from a storyboard in numbers.
enum StoryboardTracks {
    /// How a WebVTT cue names a part of a picture.
    enum Fragment: String, Sendable, CaseIterable {
        /// `#xywh=x,y,w,h`: what all players know.
        case mediaFragment
        /// `#x,y,w,h`: castLabs' own.
        case bare
    }

    /// WebVTT: no cue names, no settings, gapless cues, one line of payload.
    ///
    /// - Throws: `FrameError` for videos of 100 hours and more, whose times some players cannot read.
    static func webVTT(_ board: StoryboardDescription, fragment: Fragment) throws(FrameError) -> String {
        var text = "WEBVTT\n"
        for tile in 0..<board.tileCount {
            let (sheet, x, y) = board.place(of: tile), span = board.span(of: tile)
            text += "\n\(try time(span.start)) --> \(try time(span.end))\n\(board.sheetName(sheet))"
            if board.tilesPerSheet > 1 {
                let numbers = "\(x),\(y),\(board.tileWidth),\(board.tileHeight)"
                text += fragment == .mediaFragment ? "#xywh=\(numbers)" : "#\(numbers)"
            }
            text += "\n"
        }
        return text
    }

    /// A grid description for castLabs' players. Their words for columns and rows are at odds with their names, so both
    /// are said again in ours.
    static func grid(_ board: StoryboardDescription, baseURL: String) -> String {
        """
        {
          "baseUrl": \(baseURL.jsonQuoted),
          "pathTemplate": \("\(board.sheetPrefix)$index$.\(board.sheetExtension)".jsonQuoted),
          "gridWidth": \(board.columns),
          "gridHeight": \(board.rows),
          "columns": \(board.columns),
          "rows": \(board.rows),
          "durationMs": \(board.intervalMilliseconds),
          "maxIndex": \(board.sheetCount + board.firstSheet - 1)
        }

        """
    }

    /// A DASH-IF tile adaptation set, to be put into a period of a manifest.
    static func dashAdaptationSet(_ board: StoryboardDescription) -> String {
        let sheetSpan = Int64(board.tilesPerSheet) * board.intervalMilliseconds
        return """
            <AdaptationSet contentType="image" mimeType="\(board.format.mediaType)">
              <SegmentTemplate media="\(board.sheetPrefix)$Number$.\(board.sheetExtension)" timescale="1000" duration="\(sheetSpan)" startNumber="\(board.firstSheet)"/>
              <Representation id="thumbnails_\(board.tileWidth)x\(board.tileHeight)" bandwidth="\(board.peakBandwidth)" width="\(board.sheetWidth)" height="\(board.sheetHeight)">
                <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="\(board.columns)x\(board.rows)"/>
              </Representation>
            </AdaptationSet>

            """
    }

    /// An HLS image media playlist (version 0.4 of Roku, Disney and Warner), for Jellyfin too.
    static func imagePlaylist(_ board: StoryboardDescription) -> String {
        let longest = (0..<board.sheetCount).map { board.sheetMilliseconds($0) }.max() ?? 0
        var text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:\((longest + 999) / 1000)
            #EXT-X-VERSION:7
            #EXT-X-MEDIA-SEQUENCE:\(board.firstSheet)
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-IMAGES-ONLY

            """
        for sheet in 0..<board.sheetCount {
            text += """
                #EXTINF:\(seconds(board.sheetMilliseconds(sheet))),
                #EXT-X-TILES:RESOLUTION=\(board.tileWidth)x\(board.tileHeight),LAYOUT=\(board.columns)x\(board.rows),DURATION=\(seconds(board.intervalMilliseconds))
                \(board.sheetName(sheet))

                """
        }
        return text + "#EXT-X-ENDLIST\n"
    }

    /// The line of an HLS master playlist that names an image playlist.
    static func imageStreamLine(_ board: StoryboardDescription, playlist: String) -> String {
        let codec = board.format == .jpeg ? "jpeg" : "webp"
        return
            "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=\(board.peakBandwidth),RESOLUTION=\(board.tileWidth)x\(board.tileHeight),CODECS=\"\(codec)\",URI=\"\(playlist)\"\n"
    }

    /// An HLS I-frame playlist over JPEG pictures that lie one behind the other in a file.
    ///
    /// - Parameters:
    ///   - board: the storyboard in numbers.
    ///   - file: name of that file, as the playlist gives it.
    ///   - ranges: place and bytes of each tile's picture.
    static func iFramePlaylist(
        _ board: StoryboardDescription, file: String, ranges: [(offset: Int, count: Int)]
    ) -> String {
        var text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:\((board.intervalMilliseconds + 999) / 1000)
            #EXT-X-VERSION:7
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-I-FRAMES-ONLY

            """
        for range in ranges {
            text += """
                #EXTINF:\(seconds(board.intervalMilliseconds)),
                #EXT-X-BYTERANGE:\(range.count)@\(range.offset)
                \(file)

                """
        }
        return text + "#EXT-X-ENDLIST\n"
    }

    /// The line of an HLS master playlist that names an I-frame playlist of JPEG pictures.
    static func iFrameStreamLine(
        _ board: StoryboardDescription, playlist: String, ranges: [(offset: Int, count: Int)]
    ) -> String {
        let most = ranges.map(\.count).max() ?? 0
        let bandwidth = max(1, (most * 8000 + Int(board.intervalMilliseconds) - 1) / Int(board.intervalMilliseconds))
        return
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\(bandwidth),RESOLUTION=\(board.tileWidth)x\(board.tileHeight),CODECS=\"mjpg\",URI=\"\(playlist)\"\n"
    }

    /// What Jellyfin keeps in its database of a trickplay folder.
    static func jellyfin(_ board: StoryboardDescription) -> String {
        """
        {
          "Width": \(board.tileWidth),
          "Height": \(board.tileHeight),
          "TileWidth": \(board.columns),
          "TileHeight": \(board.rows),
          "ThumbnailCount": \(board.tileCount),
          "Interval": \(board.intervalMilliseconds),
          "Bandwidth": \(board.peakBandwidth)
        }

        """
    }

    /// - Throws: `FrameError` for a time that some players cannot read.
    static func checkLength(_ milliseconds: Int64) throws(FrameError) {
        guard (0..<360_000_000).contains(milliseconds) else {
            throw FrameError(
                .unsupportedFormat,
                "WebVTT for players ends at 100 hours; this video goes on at \(milliseconds / 1000) s")
        }
    }

    /// `HH:MM:SS.mmm`, always with two digits of hours.
    static func time(_ milliseconds: Int64) throws(FrameError) -> String {
        try checkLength(milliseconds)
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        return
            "\(hours.zeroPadded(to: 2)):\(minutes.zeroPadded(to: 2)):\((milliseconds / 1000 % 60).zeroPadded(to: 2)).\((milliseconds % 1000).zeroPadded(to: 3))"
    }

    /// Seconds with three decimals.
    private static func seconds(_ milliseconds: Int64) -> String {
        "\(milliseconds / 1000).\((milliseconds % 1000).zeroPadded(to: 3))"
    }
}
