import CommandLineCore
import Testing

@Suite struct WordsTests {
    @Test func nounsFollowTheirNumber() {
        #expect(counted(1, "cut") == "1 cut")
        #expect(counted(0, "cut") == "0 cuts")
        #expect(counted(2, "finished segment is", "finished segments are") == "2 finished segments are")
    }

    @Test func namesComeApart() {
        #expect("coverArt".camelCaseWords(separatedBy: " ") == "cover art")
        #expect("topFirst".camelCaseWords(separatedBy: "_") == "top_first")
        #expect("video".camelCaseWords(separatedBy: "_") == "video")
    }

    @Test func controlCharactersAreReplaced() {
        #expect("a\u{1B}[2Jb\r\n".withoutControlCharacters == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}")
        #expect("é ü 😀".withoutControlCharacters == "é ü 😀")
    }
}
