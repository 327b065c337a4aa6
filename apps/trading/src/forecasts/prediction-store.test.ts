import type { Database } from '@shapecast/platform/database/database'
import { expect, it } from 'vitest'
import { createPredictionStore, type StoredRow } from './prediction-store.ts'

const HOUR = 3_600_000
const rowAt = (ts: number): StoredRow => ({
  ts,
  candleCheck: 1,
  signal: 0,
  confidence: 0.6,
  price: 100,
  lstm: 100,
  transformer: 100,
  stopLoss: 90,
  edgeBps: 1,
  madeAtMs: 5,
})

/** A database whose writes end when they are let to, or fail. */
const slow = () => {
  const said: string[] = []
  const pending: { end(): void; fail(error: Error): void }[] = []
  const query = (text: string, values: unknown[][]): Promise<{ rows: StoredRow[] }> => {
    if (text.startsWith('select')) {
      said.push('read')
      return Promise.resolve({ rows: [rowAt(HOUR)] })
    }
    said.push(`write ${values[1]![0]}`)
    return new Promise((end, fail) => pending.push({ end: () => end({ rows: [] }), fail }))
  }
  return { said, pending, store: createPredictionStore({ pool: { query } } as unknown as Pick<Database, 'pool'>) }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('reads what is being written only once it is written, and of others at once', async () => {
  const { said, pending, store } = slow()
  store.keep('a', [rowAt(1)], () => {})
  store.keep('a', [rowAt(2)], () => {})
  const read = store.read('a', 0, HOUR)
  await store.read('b', 0, HOUR)
  expect(said).toEqual(['write 1', 'read'])
  pending[0]!.end()
  await turn()
  expect(said).toEqual(['write 1', 'read', 'write 2'])
  pending[1]!.end()
  expect(await read).toEqual([rowAt(HOUR)])
  expect(said).toEqual(['write 1', 'read', 'write 2', 'read'])
})

it('the store reports why rows could not be written, and goes on', async () => {
  const { said, pending, store } = slow()
  const failed: unknown[] = []
  store.keep('a', [rowAt(1)], (error) => failed.push(error))
  store.keep('a', [], () => {})
  await turn()
  pending[0]!.fail(new Error('the disk is full'))
  await store.read('a', 0, HOUR)
  expect(failed).toEqual([new Error('the disk is full')])
  expect(said).toEqual(['write 1', 'read'])
})
