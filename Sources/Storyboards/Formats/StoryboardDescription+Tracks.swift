internal import FrameCore

/// The text of each track format.
extension StoryboardDescription {
    /// Returns a WebVTT file with contiguous cues, without cue names or settings, and with one line of payload per cue.
    ///
    /// - Parameter fragment: what precedes the coordinates of an image region: `#xywh=`, which all players support, or
    ///   castLabs' `#`.
    /// - Throws: `FrameError` for videos of 100 hours or more, because some players cannot read their times.
    func webVTT(fragment: String) throws(FrameError) -> String {
        var text = "WEBVTT\n"
        for tile in 0..<tileCount {
            let (sheet, x, y) = place(of: tile), span = span(of: tile)
            text += "\n\(try Self.time(span.start)) --> \(try Self.time(span.end))\n\(sheetName(sheet))"
            if tilesPerSheet > 1 {
                let numbers = "\(x),\(y),\(tileWidth),\(tileHeight)"
                text += fragment + numbers
            }
            text += "\n"
        }
        return text
    }

    /// Returns a grid description for castLabs' players. Their names for the numbers of columns and rows are
    /// misleading, so it also states both as `columns` and `rows`.
    func grid(baseURL: String) -> String {
        """
        {
          "baseUrl": \(baseURL.jsonQuoted),
          "pathTemplate": \("\(sheetPrefix)$index$.\(sheetExtension)".jsonQuoted),
          "gridWidth": \(columns),
          "gridHeight": \(rows),
          "columns": \(columns),
          "rows": \(rows),
          "durationMs": \(intervalMilliseconds),
          "maxIndex": \(sheetCount + firstSheet - 1)
        }

        """
    }

    /// Returns a DASH-IF tile adaptation set to insert into a period of a manifest.
    func dashAdaptationSet() -> String {
        let sheetSpan = Int64(tilesPerSheet) * intervalMilliseconds
        return """
            <AdaptationSet contentType="image" mimeType="\(format.mediaType)">
              <SegmentTemplate media="\(sheetPrefix)$Number$.\(sheetExtension)" timescale="1000" duration="\(sheetSpan)" startNumber="\(firstSheet)"/>
              <Representation id="thumbnails_\(tileWidth)x\(tileHeight)" bandwidth="\(peakBandwidth)" width="\(sheetWidth)" height="\(sheetHeight)">
                <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="\(columns)x\(rows)"/>
              </Representation>
            </AdaptationSet>

            """
    }

    /// Returns an HLS image media playlist (version 0.4 of Roku, Disney and Warner), which Jellyfin also uses.
    func imagePlaylist() -> String {
        let longest = (0..<sheetCount).map { sheetMilliseconds($0) }.max() ?? 0
        var text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:\((longest + 999) / 1000)
            #EXT-X-VERSION:7
            #EXT-X-MEDIA-SEQUENCE:\(firstSheet)
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-IMAGES-ONLY

            """
        for sheet in 0..<sheetCount {
            text += """
                #EXTINF:\(Self.seconds(sheetMilliseconds(sheet))),
                #EXT-X-TILES:RESOLUTION=\(tileWidth)x\(tileHeight),LAYOUT=\(columns)x\(rows),DURATION=\(Self.seconds(intervalMilliseconds))
                \(sheetName(sheet))

                """
        }
        return text + "#EXT-X-ENDLIST\n"
    }

    /// Returns the line of an HLS master playlist that refers to an image playlist.
    func imageStreamLine(playlist: String) -> String {
        let codec = format == .jpeg ? "jpeg" : "webp"
        return
            "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=\(peakBandwidth),RESOLUTION=\(tileWidth)x\(tileHeight),CODECS=\"\(codec)\",URI=\"\(playlist)\"\n"
    }

    /// Returns an HLS I-frame playlist of images in fragments of an MP4 file.
    ///
    /// - Parameter folder: the folder of the fragments as it appears in the playlist.
    func iFramePlaylist(folder: String) -> String {
        var text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:\((longestTile + 999) / 1000)
            #EXT-X-VERSION:7
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-I-FRAMES-ONLY
            #EXT-X-MAP:URI="\(folder)/header.mp4"

            """
        for tile in 0..<tileCount {
            let span = span(of: tile)
            text += "#EXTINF:\(Self.seconds(span.end - span.start)),\n\(folder)/\(tile).m4s\n"
        }
        return text + "#EXT-X-ENDLIST\n"
    }

    /// The longest time for which a tile is shown, in milliseconds.
    private var longestTile: Int64 {
        (0..<tileCount).map { span(of: $0) }.map { $0.end - $0.start }.max() ?? 0
    }

    /// Returns the line of an HLS master playlist that refers to an I-frame playlist of JPEG images.
    ///
    /// - Parameter sizes: the size of each image in bytes.
    func iFrameStreamLine(playlist: String, sizes: [Int]) -> String {
        let most = sizes.max() ?? 0
        let bandwidth = max(1, (most * 8000 + Int(intervalMilliseconds) - 1) / Int(intervalMilliseconds))
        return
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\(bandwidth),RESOLUTION=\(tileWidth)x\(tileHeight),CODECS=\"mjpg\",URI=\"\(playlist)\"\n"
    }

    /// Checks that WebVTT can express a time in two digits of hours.
    ///
    /// - Throws: `FrameError` for a time of 100 hours or more, which some players cannot read.
    static func checkLength(_ milliseconds: Int64) throws(FrameError) {
        guard (0..<360_000_000).contains(milliseconds) else {
            throw FrameError(
                .unsupportedFormat,
                "WebVTT for players is limited to 100 hours; this video reaches \(milliseconds / 1000) s")
        }
    }

    /// Returns a time as `HH:MM:SS.mmm`, with exactly two digits for the hours.
    static func time(_ milliseconds: Int64) throws(FrameError) -> String {
        try checkLength(milliseconds)
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        return
            "\(hours.zeroPadded(to: 2)):\(minutes.zeroPadded(to: 2)):\((milliseconds / 1000 % 60).zeroPadded(to: 2)).\((milliseconds % 1000).zeroPadded(to: 3))"
    }

    /// Returns a time in seconds with three decimals.
    private static func seconds(_ milliseconds: Int64) -> String {
        "\(milliseconds / 1000).\((milliseconds % 1000).zeroPadded(to: 3))"
    }
}
