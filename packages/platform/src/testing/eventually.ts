import { vi } from 'vitest'

/** Ends a test that hangs; how quick a machine is decides nothing. */
const HANGS_AFTER_MS = 120_000

/** Tries `check` until it throws no more and returns what it gave; throws its last error where it never comes to pass. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: HANGS_AFTER_MS, interval: 50 })
