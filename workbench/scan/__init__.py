"""What others have, looked through for lost, leaked and mangled calls: sessions of agents, logs of servers, traces, exports.

    readers/      one module for each kind of file: bytes → replies, lazily, in the file's order
    recognise     which reader takes a file, by what it holds
    prefilter     which replies may hold a call at all
    judge         a reply → findings, by the rules of `grading.incidents`
    scanner       paths → findings, counts and progress

Files are only read, never written, and a database never for more than its messages.
"""
