import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/** Of the system's −20 (first) to 19 (last), where 0 is usual. */
const THREAD_PRIORITY = 10

/** Lets threads that answer a caller go first. Linux alone gives each thread a priority of its own; it may forbid to. */
export function standBack(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), THREAD_PRIORITY)
  } catch {
    // Then it works beside all others.
  }
}
