public import Foundation
import FrameCore
import Glibc

/// A web server on 127.0.0.1 that serves the files of a folder, with byte ranges unless they are disabled.
///
/// `@unchecked Sendable`: everything except the request count is constant.
public final class LocalServer: @unchecked Sendable {
    private let descriptor: Int32
    private let folder: URL
    private let hits = Lock(0)
    private let port: UInt16
    private let givesRanges: Bool

    /// The URL of the folder, ending with a slash.
    public var address: String { "http://127.0.0.1:\(port)/" }
    /// The number of requests so far.
    public var requests: Int { hits.withLock { $0 } }

    struct Failure: Error {}

    public init(_ folder: URL, givesRanges: Bool = true) throws {
        self.folder = folder
        self.givesRanges = givesRanges
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, bound) = withUnsafeMutablePointer(to: &place) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                (descriptor, bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0)
            }
        }
        port = UInt16(bigEndian: place.sin_port)
        guard bound, listen(descriptor, 16) == 0 else { throw Failure() }
        Thread.detachNewThread { [descriptor, weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                guard let server = self else { return }
                Thread.detachNewThread { server.answer(connection) }
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private func answer(_ connection: Int32) {
        defer { close(connection) }
        hits.withLock { $0 += 1 }
        var request = "", buffer = [UInt8](repeating: 0, count: 4096)
        while !request.contains("\r\n\r\n") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        let name = request.split(separator: " ").dropFirst().first.map { String($0.dropFirst()) } ?? ""
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
            return send(
                connection, Data("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        }
        guard givesRanges else {
            return send(connection, Data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + data)
        }
        var start = 0
        if let range = request.firstMatch(of: /[Rr]ange: bytes=(\d+)-/) { start = min(Int(range.1) ?? 0, data.count) }
        let status = start > 0 ? "206 Partial Content" : "200 OK"
        let head =
            "HTTP/1.1 \(status)\r\nContent-Length: \(data.count - start)\r\nAccept-Ranges: bytes\r\n"
            + "Content-Range: bytes \(start)-\(max(0, data.count - 1))/\(data.count)\r\nConnection: close\r\n\r\n"
        send(connection, Data(head.utf8) + data[start...])
    }

    private func send(_ connection: Int32, _ data: Data) {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
