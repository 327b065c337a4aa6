import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@shapecast/contracts/errors'
import { serveCalls } from '../serve-calls.ts'

let made = new Float64Array(0)

const sampleCalls = {
  later: ({ ms, word }: { ms: number; word: string }) => sleep(ms, word),
  double: ({ columns }: { columns: Record<string, Float64Array> }) => ({
    doubled: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.map((x) => 2 * x)])),
  }),
  /** Computes until the other side has counted so far, which it does while it turns. */
  spin({ turns, until }: { turns: Int32Array; until: number }) {
    while (Atomics.load(turns, 0) < until);
  },
  refuse(field: string) {
    throw new AppError('bad_input', 'Name another symbol.', { field, retryAfterS: 30 })
  },
  fail() {
    throw new Error('a bug')
  },
  failWith(what: string) {
    throw new Error(what, { cause: () => 'a function, which cannot be sent' })
  },
  unsendable: () => () => 'a function',
  make(length: number) {
    made = new Float64Array(length)
    return { made }
  },
  left: () => made.length,
  hold(length: number) {
    made = new Float64Array(length)
  },
  end() {
    made = new Float64Array(0)
  },
  die: (code: number) => process.exit(code),
}
export type SampleCalls = typeof sampleCalls

serveCalls(sampleCalls)
