import Foundation
import TestSupport
import Testing

/// A preloaded library that makes system and codec calls fail at points that a test selects.
///
/// `FAULT_READ=name:offset` fails reads of files with that name from an offset on, `FAULT_WRITE` does the same for
/// writes, and `FAULT_SYNC` for syncing them to disk. `FAULT_ENCODE=count` makes encoders fail after that number of
/// frames, and `FAULT_DROP=count` makes them drop a packet. With `FAULT_AFTER=name:count` none of this happens until
/// `count` files have been renamed to that name.
/// `FAULT_STOP=name:count` stops the whole program at such a renaming; when it is continued, it first handles the
/// signals that have arrived in the meantime.
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

    /// Returns the environment variables with which a program experiences the faults.
    func environment(_ faults: [String: String]) -> [String: String] {
        faults.merging(["LD_PRELOAD": folder.path("faults.so")]) { $1 }
    }

    private static let code = """
        #define _GNU_SOURCE
        #include <dirent.h>
        #include <dlfcn.h>
        #include <errno.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        static volatile int has_begun;

        static int is_due(void) { return has_begun || !getenv("FAULT_AFTER"); }

        static int fails(int file, const char *variable) {
            const char *wish = getenv(variable);
            const char *colon = wish ? strrchr(wish, ':') : NULL;
            if (!colon || !is_due() || lseek(file, 0, SEEK_CUR) < atoll(colon + 1)) return 0;
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

        // The C library's own writes cannot be intercepted.
        size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
            size_t (*real)(const void *, size_t, size_t, FILE *) = dlsym(RTLD_NEXT, "fwrite");
            if (fails(fileno(file), "FAULT_WRITE")) { errno = ENOSPC; return 0; }
            return real(bytes, size, count, file);
        }

        int fsync(int file) {
            int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
            if (fails(file, "FAULT_SYNC")) { errno = EIO; return -1; }
            return real(file);
        }

        // Whether `target` is the file named by `name:count`; advances the count.
        static int is_reached(const char *variable, const char *target, int *count) {
            const char *wish = getenv(variable);
            const char *colon = wish ? strrchr(wish, ':') : NULL, *slash = strrchr(target, '/');
            const char *name = slash ? slash + 1 : target;
            if (!colon || strlen(name) != (size_t)(colon - wish) || strncmp(name, wish, strlen(name)) != 0) return 0;
            return __sync_add_and_fetch(count, 1) == atoi(colon + 1);
        }

        // Whether a thread is waiting for signals.
        static int has_waiting_thread(void) {
            DIR *tasks = opendir("/proc/self/task");
            int found = 0;
            for (struct dirent *task; tasks && !found && (task = readdir(tasks));) {
                char path[300];
                long number = -1;
                snprintf(path, sizeof path, "/proc/self/task/%s/syscall", task->d_name);
                FILE *file = fopen(path, "r");
                if (!file) continue;
                found = fscanf(file, "%ld", &number) == 1 && number == SYS_rt_sigtimedwait;
                fclose(file);
            }
            if (tasks) closedir(tasks);
            return found;
        }

        static int has_pending_signal(void) {
            sigset_t set;
            sigpending(&set);
            return sigismember(&set, SIGHUP) || sigismember(&set, SIGINT) || sigismember(&set, SIGTERM);
        }

        static int has_renamed(int result, const char *to) {
            static int starts, stops;
            if (result != 0) return result;
            if (is_reached("FAULT_AFTER", to, &starts)) has_begun = 1;
            if (is_reached("FAULT_STOP", to, &stops)) {
                raise(SIGSTOP);
                // A received signal has been handled once its thread waits for the next one.
                while (has_pending_signal() || !has_waiting_thread()) usleep(1000);
            }
            return 0;
        }

        int rename(const char *from, const char *to) {
            int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
            return has_renamed(real(from, to), to);
        }

        int renameat2(int a, const char *from, int b, const char *to, unsigned int flags) {
            int (*real)(int, const char *, int, const char *, unsigned int) = dlsym(RTLD_NEXT, "renameat2");
            return has_renamed(real(a, from, b, to, flags), to);
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
            if (wish && is_due() && __sync_fetch_and_add(&sent, 1) >= atoi(wish)) return -542398533;
            return real(codec, frame);
        }

        """
}
