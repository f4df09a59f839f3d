import Foundation
import TestSupport
import Testing

/// A library loaded before all others that lets system and codec calls fail where a test wants it.
///
/// `FAULT_READ=name:offset` fails reads of files so called from an offset on, `FAULT_WRITE` writes likewise, and
/// `FAULT_ENCODE=count` lets encoders fail after so many pictures, `FAULT_DROP=count` has them swallow a packet.
struct FaultyLibrary {
    private let folder: TemporaryFolder

    static let compiler = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang", "/opt/swift/usr/bin/clang"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    init() throws {
        folder = try TemporaryFolder()
        let source = try folder.write(Data(Self.code.utf8), to: "faults.c")
        _ = try tool(
            try #require(Self.compiler), ["-shared", "-fPIC", "-O1", "-o", folder.path("faults.so"), source, "-ldl"])
    }

    /// What a program must find in its environment for a fault to happen.
    func environment(_ faults: [String: String]) -> [String: String] {
        faults.merging(["LD_PRELOAD": folder.path("faults.so")]) { $1 }
    }

    private static let code = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        static int fails(int file, const char *variable) {
            const char *wish = getenv(variable);
            const char *colon = wish ? strrchr(wish, ':') : NULL;
            if (!colon || lseek(file, 0, SEEK_CUR) < atoll(colon + 1)) return 0;
            char link[64], path[4096];
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length < 0) return 0;
            path[length] = 0;
            const char *name = strrchr(path, '/');
            return name && strncmp(name + 1, wish, (size_t)(colon - wish)) == 0;
        }

        ssize_t read(int file, void *bytes, size_t count) {
            ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
            if (fails(file, "FAULT_READ")) { errno = EIO; return -1; }
            return real(file, bytes, count);
        }

        ssize_t write(int file, const void *bytes, size_t count) {
            ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
            if (fails(file, "FAULT_WRITE")) { errno = ENOSPC; return -1; }
            return real(file, bytes, count);
        }

        void av_packet_unref(void *packet);

        int avcodec_receive_packet(void *codec, void *packet) {
            static int received;
            int (*real)(void *, void *) = dlsym(RTLD_NEXT, "avcodec_receive_packet");
            const char *wish = getenv("FAULT_DROP");
            int result = real(codec, packet);
            if (!wish || result < 0 || __sync_add_and_fetch(&received, 1) != atoi(wish)) return result;
            av_packet_unref(packet);
            return real(codec, packet);
        }

        int avcodec_send_frame(void *codec, const void *frame) {
            static int sent;
            int (*real)(void *, const void *) = dlsym(RTLD_NEXT, "avcodec_send_frame");
            const char *wish = getenv("FAULT_ENCODE");
            if (wish && __sync_fetch_and_add(&sent, 1) >= atoi(wish)) return -542398533;
            return real(codec, frame);
        }

        """
}
