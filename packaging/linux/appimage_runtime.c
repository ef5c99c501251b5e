/* The program at the beginning of the AppImage (AppImage specification, type 2).
 *
 * Behind its own last byte stands a squashfs file system. The runtime mounts it with FUSE and becomes its AppRun; where
 * nothing can be mounted (containers have no /dev/fuse, some systems no fusermount3), it unpacks the file system, waits for
 * AppRun and removes what it unpacked. Built by packaging/appimage.py, statically, so that it starts on any Linux.
 */
#define _GNU_SOURCE
#include "squashfuse.h"
#include "ll.h"
#include "traverse.h"
#include "util.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char help[] =
    "Options of the AppImage; all others go to the program in it:\n"
    "  --appimage-help             this text\n"
    "  --appimage-offset           the byte at which the file system begins\n"
    "  --appimage-mount            mount it, print where, and wait for Ctrl+C\n"
    "  --appimage-extract          unpack it to ./squashfs-root\n"
    "  --appimage-extract-and-run  unpack it to a temporary folder and run it there; so does APPIMAGE_EXTRACT_AND_RUN=1\n";

static const char *half_unpacked; /* a temporary folder that a failure must not leave behind */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "%s: %s%s%s\n", what, which, errno ? ": " : "", errno ? strerror(errno) : "");
    if (half_unpacked)
        nftw(half_unpacked, remove_one, 32, FTW_DEPTH | FTW_PHYS);
    exit(EXIT_FAILURE);
}

/* Where the ELF file ends: its section headers are the last thing in it. */
static size_t payload_offset(const char *self)
{
    Elf64_Ehdr header;
    int file = open(self, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, &header, sizeof header) != (ssize_t)sizeof header)
        fail("cannot read", self);
    close(file);
    return header.e_shoff + (size_t)header.e_shentsize * header.e_shnum;
}

static const char *temporary_folder(const char *name)
{
    static char path[PATH_MAX];
    const char *base = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/%s-XXXXXX", base && *base ? base : "/tmp", name);
    if (!mkdtemp(path))
        fail("cannot make a folder", path);
    return path;
}

/* ---- mounting ---- */

static void say_nothing(enum fuse_log_level level, const char *text, va_list values)
{
    (void)level, (void)text, (void)values; /* that FUSE is absent is no error: the file system is unpacked then */
}

static struct fuse_lowlevel_ops operations = {
    .getattr = sqfs_ll_op_getattr, .opendir = sqfs_ll_op_opendir, .releasedir = sqfs_ll_op_releasedir,
    .readdir = sqfs_ll_op_readdir, .lookup = sqfs_ll_op_lookup,   .open = sqfs_ll_op_open,
    .create = sqfs_ll_op_create,   .release = sqfs_ll_op_release, .read = sqfs_ll_op_read,
    .readlink = sqfs_ll_op_readlink, .forget = sqfs_ll_op_forget, .statfs = stfs_ll_op_statfs,
};

/* Answer the kernel until nobody holds the other end of `alive` any more. Does not return. */
static void serve(const char *self, size_t offset, const char *place, int ready, int alive)
{
    char *words[] = {(char *)"workbench", (char *)"-o", (char *)"ro,nodev,nosuid,subtype=AppImage"};
    struct fuse_args options = FUSE_ARGS_INIT(3, words);
    sqfs_ll_chan channel = {0};
    sqfs_ll *image = sqfs_ll_open(self, offset);
    if (!image || sqfs_ll_mount(&channel, place, &options, &operations, sizeof operations, image) != SQFS_OK)
        _exit(EXIT_FAILURE);
    if (write(ready, "", 1) != 1)
        _exit(EXIT_FAILURE);
    close(ready);
    struct pollfd watched[] = {{fuse_session_fd(channel.session), POLLIN, 0}, {alive, POLLIN, 0}};
    struct fuse_buf request = {0};
    while (!fuse_session_exited(channel.session)) {
        if (poll(watched, 2, -1) < 0 && errno != EINTR)
            break;
        if (watched[1].revents)
            break;
        if (watched[0].revents) {
            int got = fuse_session_receive_buf(channel.session, &request);
            if (got == -EINTR)
                continue;
            if (got <= 0)
                break;
            fuse_session_process_buf(channel.session, &request);
        }
    }
    sqfs_ll_unmount(&channel, place);
    rmdir(place);
    _exit(EXIT_SUCCESS);
}

/* Mount the image; true if that worked. It stays mounted as long as this process, or what it becomes, holds a pipe's end. */
static bool mounted(const char *self, size_t offset, const char *place)
{
    int ready[2], alive[2];
    char byte;
    if (pipe2(ready, O_CLOEXEC) || pipe(alive))
        return false;
    pid_t between = fork();
    if (between < 0)
        return false;
    if (!between) {
        setsid(); /* a Ctrl+C in the terminal is for the program, not for its file system */
        if (fork())
            _exit(EXIT_SUCCESS); /* no child that the program did not start */
        close(ready[0]);
        close(alive[1]);
        fuse_set_log_func(say_nothing);
        freopen("/dev/null", "w", stdout); /* whoever reads the program's output waits for its end, not for ours */
        freopen("/dev/null", "w", stderr);
        serve(self, offset, place, ready[1], alive[0]);
    }
    waitpid(between, NULL, 0);
    close(ready[1]);
    close(alive[0]);
    bool worked = read(ready[0], &byte, 1) == 1;
    close(ready[0]);
    if (!worked)
        close(alive[1]);
    return worked;
}

/* ---- unpacking ---- */

static void unpack_file(sqfs *fs, sqfs_inode *inode, const char *path, char *block, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        fail("cannot write", path);
    for (sqfs_off_t at = 0; at < (sqfs_off_t)inode->xtra.reg.file_size;) {
        sqfs_off_t got = (sqfs_off_t)size;
        if (sqfs_read_range(fs, inode, at, &got, block) != SQFS_OK || got <= 0) {
            errno = 0;
            fail("the AppImage is damaged at", path);
        }
        for (sqfs_off_t done = 0; done < got;) {
            ssize_t written = write(file, block + done, (size_t)(got - done));
            if (written < 0)
                fail("cannot write", path);
            done += written;
        }
        at += got;
    }
    if (fchmod(file, inode->base.mode & 0777) || close(file))
        fail("cannot write", path);
}

static void unpack(const char *self, size_t offset, const char *folder)
{
    static char block[1 << 20];
    char path[PATH_MAX], target[PATH_MAX];
    sqfs fs;
    sqfs_traverse walk;
    sqfs_err error = SQFS_OK;
    if (sqfs_open_image(&fs, self, offset) != SQFS_OK || sqfs_traverse_open(&walk, &fs, sqfs_inode_root(&fs)) != SQFS_OK) {
        errno = 0;
        fail("no file system in", self);
    }
    while (sqfs_traverse_next(&walk, &error)) {
        sqfs_inode inode;
        size_t size = sizeof target;
        if (walk.dir_end)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, walk.path);
        error = sqfs_inode_get(&fs, &inode, sqfs_dentry_inode(&walk.entry));
        if (error != SQFS_OK)
            break;
        switch (sqfs_dentry_mode(&walk.entry) & S_IFMT) {
        case S_IFDIR:
            if (mkdir(path, 0755))
                fail("cannot make a folder", path);
            break;
        case S_IFLNK:
            if (sqfs_readlink(&fs, &inode, target, &size) != SQFS_OK || symlink(target, path))
                fail("cannot make a link", path);
            break;
        default:
            unpack_file(&fs, &inode, path, block, sizeof block);
        }
    }
    if (error != SQFS_OK) {
        errno = 0;
        fail("the AppImage is damaged", self);
    }
    sqfs_traverse_close(&walk);
}

/* ---- running ---- */

static void become(const char *folder, char **arguments)
{
    char program[PATH_MAX];
    setenv("APPDIR", folder, 1);
    snprintf(program, sizeof program, "%s/AppRun", folder);
    arguments[0] = program;
    execv(program, arguments);
    fail("cannot run", program);
}

static volatile pid_t child;

static void pass_on(int number)
{
    kill(child, number);
}

static int run_and_remove(const char *folder, char **arguments)
{
    int status;
    child = fork();
    if (child < 0)
        fail("cannot start a process in", folder);
    if (!child)
        become(folder, arguments);
    signal(SIGINT, SIG_IGN); /* the terminal sends these to both */
    signal(SIGQUIT, SIG_IGN);
    signal(SIGTERM, pass_on);
    signal(SIGHUP, pass_on);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    nftw(folder, remove_one, 32, FTW_DEPTH | FTW_PHYS);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int count, char **arguments)
{
    static char self[PATH_MAX];
    char here[PATH_MAX];
    const char *option = count > 1 ? arguments[1] : "";
    const char *always = getenv("APPIMAGE_EXTRACT_AND_RUN");
    bool unpacked = always && *always && strcmp(always, "0");
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        fail("cannot find", "/proc/self/exe");
    size_t offset = payload_offset(self);

    if (!strcmp(option, "--appimage-help")) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    if (!strcmp(option, "--appimage-offset")) {
        printf("%zu\n", offset);
        return EXIT_SUCCESS;
    }
    if (!strcmp(option, "--appimage-extract")) {
        if (mkdir("squashfs-root", 0755))
            fail("cannot make a folder", "squashfs-root");
        unpack(self, offset, "squashfs-root");
        puts("squashfs-root");
        return EXIT_SUCCESS;
    }
    if (!strcmp(option, "--appimage-extract-and-run")) {
        unpacked = true;
        memmove(arguments + 1, arguments + 2, (size_t)(count - 1) * sizeof *arguments);
    }
    setenv("APPIMAGE", self, 1);
    setenv("ARGV0", arguments[0], 1);
    if (getcwd(here, sizeof here))
        setenv("OWD", here, 1);

    const char *folder = temporary_folder(".mount_workbench");
    if (!unpacked && mounted(self, offset, folder)) {
        if (strcmp(option, "--appimage-mount"))
            become(folder, arguments);
        puts(folder);
        fflush(stdout);
        pause();
        return EXIT_SUCCESS;
    }
    if (!strcmp(option, "--appimage-mount")) {
        rmdir(folder);
        errno = 0;
        fail("cannot mount (FUSE is not usable here)", self);
    }
    half_unpacked = folder;
    unpack(self, offset, folder);
    half_unpacked = NULL;
    return run_and_remove(folder, arguments);
}
