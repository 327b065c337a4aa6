import { describe, expect, it } from 'vitest'
import type { ChainStore } from './record-store.ts'
import { GENESIS, rowHash, type Sealable } from './row-hash.ts'
import type { SealedRow } from './tables.ts'
import { recordVerdict, verifyRecord } from './verify-record.ts'

const HOUR = 3_600_000
/** An hour is sealed until five minutes after its close. */
const LAST_MOMENT = HOUR + 5 * 60_000 - 1

type Values = Partial<Omit<Sealable, 'seq' | 'previousHash'>>

/** A chain as it is written, its first row on the candle of hour 0, the next on that of hour 1, and so on. */
function chainOf(rows: readonly Values[]): SealedRow[] {
  const chain: SealedRow[] = []
  for (const [i, values] of rows.entries()) {
    const row: Sealable = {
      venue: 'binance',
      symbol: 'BTCUSDT',
      timeframe: '1h',
      version: 'v3',
      artifactId: '00000000-0000-4000-8000-000000000001',
      artifactHash: 'a',
      candleTs: i * HOUR,
      madeAtMs: 0,
      marketTimeMs: i * HOUR + LAST_MOMENT,
      horizon: 1,
      pUp: 0.5,
      signal: 'HOLD',
      confidence: 0.5,
      price: 100,
      lstm: 100,
      transformer: 100,
      stopLoss: 100,
      edgeBps: 0,
      fan: [90, 95, 100, 105, 110],
      reasoning: '',
      climatology: 0.5,
      reversalUp: true,
      ...values,
      seq: i + 1,
      previousHash: chain.at(-1)?.rowHash ?? GENESIS,
    }
    chain.push({ ...row, rowHash: rowHash(row) })
  }
  return chain
}

const headOf = (chain: readonly SealedRow[]) => ({ rows: chain.length, hash: chain.at(-1)?.rowHash ?? GENESIS })

/** The store of a chain that is read two rows at a time. */
const storeOf = (chain: readonly SealedRow[], head = headOf(chain)): ChainStore => ({
  head: async () => head,
  after: async (seq) => chain.filter((row) => row.seq > seq).slice(0, 2),
  orphanScores: async () => [],
})

const BTC = chainOf([{}, {}, {}, {}, {}])

describe('a record that is verified', () => {
  it('is in order where nobody touched it, also before its first row and by every head that was ever written down', async () => {
    expect(await verifyRecord(storeOf([]))).toEqual({ rows: 0, head: { rows: 0, hash: GENESIS }, findings: [] })
    expect(await verifyRecord(storeOf(BTC))).toEqual({ rows: 5, head: headOf(BTC), findings: [] })
    for (let rows = 1; rows <= 5; rows++)
      expect((await verifyRecord(storeOf(BTC), headOf(BTC.slice(0, rows)))).findings).toEqual([])
  })

  it('shows a row that was made when the outcome began to show, though its hash fits', async () => {
    const chain = chainOf([{}, { marketTimeMs: HOUR + LAST_MOMENT + 1 }, {}])
    expect((await verifyRecord(storeOf(chain))).findings).toEqual([
      { seq: 2, text: 'was made later than a prediction may be sealed' },
    ])
  })

  it('says how many rows are gone', async () => {
    const without = (...gone: number[]) => BTC.filter(({ seq }) => !gone.includes(seq))
    expect((await verifyRecord(storeOf(without(3), headOf(BTC)))).findings).toEqual([
      { seq: 4, text: 'follows a row that was deleted' },
    ])
    expect((await verifyRecord(storeOf(without(1, 2), headOf(BTC)))).findings).toEqual([
      { seq: 3, text: 'follows 2 rows that were deleted' },
    ])
    expect((await verifyRecord(storeOf(without(5), headOf(BTC)))).findings).toEqual([
      { seq: 5, text: 'and up to row 5 are deleted: the chain is cut short' },
    ])
  })

  it('shows an end that is another one than the head says, whatever was done to which of the two', async () => {
    const other = chainOf([{}, {}, {}, {}, { pUp: 0.9 }])
    expect((await verifyRecord(storeOf(other, headOf(BTC)))).findings).toEqual([
      { seq: 5, text: 'is another one than the end of the chain' },
    ])
  })

  it('is consistent when all of it was rewritten, but does not match a head noted before', async () => {
    const rewritten = chainOf([{}, { pUp: 0.9 }, {}, {}, {}])
    expect((await verifyRecord(storeOf(rewritten))).findings).toEqual([])
    expect((await verifyRecord(storeOf(rewritten), headOf(BTC.slice(0, 1)))).findings).toEqual([])
    for (const rows of [2, 4, 5])
      expect((await verifyRecord(storeOf(rewritten), headOf(BTC.slice(0, rows)))).findings).toEqual([
        { seq: rows, text: 'is another one than the head that was written down' },
      ])
    expect((await verifyRecord(storeOf(BTC.slice(0, 3)), headOf(BTC))).findings).toEqual([
      { seq: 4, text: 'and up to row 5, once written down, are deleted' },
    ])
  })
})

it.each([
  [{ rows: 0, late: 0, findings: 0 }, 'No prediction is sealed, so there is nothing to check.'],
  [
    { rows: 0, late: 12, findings: 0 },
    'No prediction is sealed, so there is nothing to check. 12 times predictions came too late to be sealed, as they do in a fast replay.',
  ],
  [{ rows: 1, late: 0, findings: 0 }, '1 sealed prediction: the record is whole.'],
  [
    { rows: 5, late: 1, findings: 2 },
    '5 sealed predictions: 2 found. Once predictions came too late to be sealed, as they do in a fast replay.',
  ],
])('a record of %o is told as it is', (of, text) => {
  expect(recordVerdict(of)).toBe(text)
})
