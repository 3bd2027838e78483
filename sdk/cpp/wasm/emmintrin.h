// For files that include this out of habit: the sandbox's machine has no such instructions.
