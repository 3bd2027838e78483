// The system calls of the sandbox's library that the host does not offer:
// files, sockets, waiting. They fail, so that a player that tries to keep a log
// goes on without one instead of being refused.
#ifdef __wasm__

#include <errno.h>
#include <stdint.h>

// The library calls these by the names below and would import them if nobody
// defined them. Only the types of the arguments matter.
#define NOWHERE(name, error, ...) \
  extern "C" int32_t __imported_wasi_snapshot_preview1_##name(__VA_ARGS__) { return error; }

typedef int32_t word;
typedef int64_t wide;

// No folder is open, which is what ends the library's search for a file.
NOWHERE(fd_prestat_get, EBADF, word, word)
NOWHERE(fd_prestat_dir_name, EBADF, word, word, word)
NOWHERE(path_open, EACCES, word, word, word, word, word, wide, wide, word, word)
NOWHERE(path_create_directory, EACCES, word, word, word)
NOWHERE(path_filestat_get, EACCES, word, word, word, word, word)
NOWHERE(path_filestat_set_times, EACCES, word, word, word, word, wide, wide, word)
NOWHERE(path_link, EACCES, word, word, word, word, word, word, word)
NOWHERE(path_readlink, EACCES, word, word, word, word, word, word)
NOWHERE(path_remove_directory, EACCES, word, word, word)
NOWHERE(path_rename, EACCES, word, word, word, word, word, word)
NOWHERE(path_symlink, EACCES, word, word, word, word, word)
NOWHERE(path_unlink_file, EACCES, word, word, word)
NOWHERE(fd_advise, EBADF, word, wide, wide, word)
NOWHERE(fd_allocate, EBADF, word, wide, wide)
NOWHERE(fd_datasync, EBADF, word)
NOWHERE(fd_fdstat_set_flags, EBADF, word, word)
NOWHERE(fd_filestat_get, EBADF, word, word)
NOWHERE(fd_filestat_set_size, EBADF, word, wide)
NOWHERE(fd_filestat_set_times, EBADF, word, wide, wide, word)
NOWHERE(fd_pread, EBADF, word, word, word, wide, word)
NOWHERE(fd_pwrite, EBADF, word, word, word, wide, word)
NOWHERE(fd_readdir, EBADF, word, word, word, wide, word)
NOWHERE(fd_renumber, EBADF, word, word)
NOWHERE(fd_sync, EBADF, word)
NOWHERE(fd_tell, EBADF, word, word)
NOWHERE(poll_oneoff, ENOTSUP, word, word, word, word)
NOWHERE(sock_accept, EBADF, word, word, word)
NOWHERE(sock_recv, EBADF, word, word, word, word, word, word)
NOWHERE(sock_send, EBADF, word, word, word, word, word)
NOWHERE(sock_shutdown, EBADF, word, word)

#endif
