/**
 * A thread that ends its process with its parent, also while a run holds up the process's other thread: the
 * standard input is a pipe that nobody writes to, and ends where the other end of it is gone.
 */
import { readSync } from 'node:fs'

try {
  readSync(0, new Uint8Array(1))
} catch {
  // Where a broken pipe is an error, it is gone just as well.
}
process.kill(process.pid, 'SIGKILL')
