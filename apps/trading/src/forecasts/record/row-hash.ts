import { createHash } from 'node:crypto'
import type { SealedRow } from './tables.ts'

/** What the first row takes for the one before it. */
export const GENESIS = '0'.repeat(64)

/** Everything of a row that its hash vouches for. */
export type Sealable = Omit<SealedRow, 'rowHash'>

/** SHA-256 (hex) over a row's values as a JSON array in this order; numbers as their shortest exact decimals. */
export const rowHash = (row: Sealable): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        row.seq,
        row.venue,
        row.symbol,
        row.timeframe,
        row.version,
        row.artifactId,
        row.artifactHash,
        row.candleTs,
        row.madeAtMs,
        row.marketTimeMs,
        row.horizon,
        row.pUp,
        row.signal,
        row.confidence,
        row.price,
        row.lstm,
        row.transformer,
        row.stopLoss,
        row.edgeBps,
        row.fan,
        row.reasoning,
        row.climatology,
        row.reversalUp,
        row.previousHash,
      ]),
    )
    .digest('hex')
