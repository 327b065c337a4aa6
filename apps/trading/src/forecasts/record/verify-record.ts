import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { ChainHead } from '@shapecast/contracts/track-record'
import type { ChainStore } from './record-store.ts'
import { GENESIS, rowHash } from './row-hash.ts'
import { sealableUntil } from './seal-window.ts'

const BATCH = 2000

/** What is wrong with the record, in words, and at which row; null where it is the outcomes as a whole. */
export interface Finding {
  seq: number | null
  text: string
}

export interface Verification {
  rows: number
  head: ChainHead
  findings: Finding[]
}

/**
 * Reads the whole chain of sealed predictions and recomputes it: finds rows that were edited, deleted, put in or made too
 * late, and a chain that was cut short. With `expected`, a head that somebody wrote down before, also a record that was
 * rewritten as a whole. At most one finding a row.
 */
export async function verifyRecord(store: ChainStore, expected?: ChainHead): Promise<Verification> {
  const findings: Finding[] = []
  const find = (seq: number, text: string) => {
    findings.push({ seq, text })
  }
  const head = await store.head()
  let [seq, rows, hash] = [0, 0, GENESIS]
  for (;;) {
    const batch = await store.after(seq, BATCH)
    if (batch.length === 0) break
    for (const row of batch) {
      rows++
      const { rowHash: kept, ...sealed } = row
      const missing = row.seq - seq - 1
      if (rowHash(sealed) !== kept) find(row.seq, 'was edited: its hash is not that of its values')
      else if (missing > 0)
        find(
          row.seq,
          `follows ${missing === 1 ? 'a row' : `${missing} rows`} that ${missing === 1 ? 'was' : 'were'} deleted`,
        )
      else if (row.previousHash !== hash)
        find(row.seq, 'does not follow the row before it: that one was edited or put in its place')
      else if (row.marketTimeMs >= sealableUntil(row.candleTs, row.timeframe as Timeframe))
        find(row.seq, 'was made later than a prediction may be sealed')
      if (expected?.rows === row.seq && expected.hash !== kept)
        find(row.seq, 'is another one than the head that was written down')
      seq = row.seq
      hash = kept
    }
  }
  if (head.rows !== seq) find(seq + 1, `and up to row ${head.rows} are deleted: the chain is cut short`)
  else if (head.hash !== hash) find(seq, 'is another one than the end of the chain')
  if (expected !== undefined && expected.rows > seq)
    find(seq + 1, `and up to row ${expected.rows}, once written down, are deleted`)
  for (const orphan of await store.orphanScores()) find(orphan, 'has an outcome but is not there')
  return { rows, head, findings }
}

/** What a person is told of the record as a whole. `late`: how often predictions came too late to be sealed. */
export function recordVerdict({ rows, late, findings }: { rows: number; late: number; findings: number }): string {
  const tooLate =
    late === 0
      ? ''
      : ` ${late === 1 ? 'Once' : `${late} times`} predictions came too late to be sealed, as they do in a fast replay.`
  if (rows === 0 && findings === 0) return `No prediction is sealed, so there is nothing to check.${tooLate}`
  const verdict = findings === 0 ? 'the record is whole' : `${findings} found`
  return `${rows} sealed ${rows === 1 ? 'prediction' : 'predictions'}: ${verdict}.${tooLate}`
}
