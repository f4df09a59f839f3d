/// Languages as libavformat names them in QuickTime files, which know a fixed set.
enum QuickTimeLanguage {
    private static let names: Set<String> = [
        "eng", "fra", "ger", "ita", "dut", "sve", "spa", "dan", "por", "nor", "heb", "jpn", "ara", "fin", "gre", "ice",
        "tur", "chi", "urd", "hin", "tha", "kor", "lit", "pol", "hun", "est", "lav", "per", "rus", "alb", "ron", "ces",
        "slk", "slv", "yid", "mac", "bul", "ukr", "bel", "kaz", "aze", "arm", "geo", "mon", "tib", "nep", "san", "mar",
        "ben", "guj", "mal", "kan", "tam", "tel", "bur", "khm", "lao", "vie", "ind", "tgl", "may", "amh", "swa", "mlg",
        "epo", "wel", "baq", "cat", "lat", "jav",
    ]
    /// The other one of ISO 639-2's two codes.
    private static let others = [
        "fre": "fra", "deu": "ger", "nld": "dut", "swe": "sve", "ell": "gre", "isl": "ice", "zho": "chi", "fas": "per",
        "sqi": "alb", "rum": "ron", "cze": "ces", "slo": "slk", "mkd": "mac", "hye": "arm", "kat": "geo", "bod": "tib",
        "mya": "bur", "msa": "may", "cym": "wel", "eus": "baq",
    ]

    /// nil for a language that has none.
    static func name(of language: String) -> String? {
        let name = others[language] ?? language
        return names.contains(name) ? name : nil
    }
}
