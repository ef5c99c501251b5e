"""Qt and asyncio together: loop, tasks, dialogs."""
