// For files that include this out of habit: there is none of it in the sandbox.
