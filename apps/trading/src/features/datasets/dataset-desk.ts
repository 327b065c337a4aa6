import type { Dataset, DatasetPreview } from '@shapecast/contracts/datasets'
import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { candlesHash } from '@shapecast/ml/train/data-hash'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import { type CandleSource, type DatasetOrder, datasetCandles } from './dataset-range.ts'
import type { DatasetStore } from './dataset-store.ts'
import { createExports } from './export-apart.ts'

const MOST_OF_A_USER = 500

const notTheirs = () => new AppError('not_found', 'This dataset does not exist, or it is not yours.')

export interface DatasetDeskDeps {
  db: Database
  store: DatasetStore
  candles: CandleSource
  /** Makes a dataset's zip. */
  zip?: ReturnType<typeof createExports>
  now(): number
}

/** Looking at candles before training on them, taking them along, and remembering which. */
export const createDatasetDesk = ({ db, store, candles, now, zip = createExports() }: DatasetDeskDeps) => ({
  async preview(asked: {
    symbol: string
    timeframe: Timeframe
    from?: number | undefined
    to?: number | undefined
  }): Promise<DatasetPreview> {
    const { symbol, timeframe } = asked
    const found = await candles.load(symbol, timeframe, { fromMs: asked.from, toMs: asked.to })
    const empty = found.length === 0
    return {
      symbol,
      timeframe,
      candles: found.length,
      first: empty ? null : found.ts[0]!,
      last: empty ? null : found.ts[found.length - 1]!,
      example: empty ? null : { open: found.open[0]!, close: found.close[0]! },
    }
  },

  /** A zip and its name. Throws `no_candles`, `too_few_candles`, `unknown_symbol`, `too_many_requests`. */
  async export(order: DatasetOrder): Promise<{ name: string; content: NodeJS.ReadableStream }> {
    const { symbol, timeframe, limit } = order
    const found = await datasetCandles(candles, order)
    const meta = { venue: candles.venue, symbol, timeframe, createdAtMs: now() }
    return { name: `dataset-${symbol}-${timeframe}-${limit}.zip`, content: zip(meta, found) }
  },

  /** Remembers a dataset; the same one again is the same. Throws as `export` does, and `unprocessable` past 500. */
  async save(order: DatasetOrder, userId: string, address: string): Promise<Dataset> {
    const { rows } = await datasetCandles(candles, order)
    if ((await store.countOf(userId)) >= MOST_OF_A_USER)
      throw new AppError('unprocessable', `A user keeps at most ${MOST_OF_A_USER} datasets. Delete some first.`)
    return db.orm.transaction(async (tx) => {
      const saved = await store.save(tx, {
        userId,
        symbol: order.symbol,
        timeframe: order.timeframe,
        rows: rows.length,
        fromTs: rows.ts[0]!,
        toTs: rows.ts[rows.length - 1]!,
        hash: candlesHash(rows),
        createdAtMs: now(),
      })
      await recordAudit(tx, {
        actorId: userId,
        address,
        action: 'dataset.saved',
        subject: { type: 'dataset', id: saved.id },
        after: saved,
      })
      return saved
    })
  },

  list: (userId: string): Promise<Dataset[]> => store.list(userId),

  active: (userId: string): Promise<Dataset | null> => store.active(userId),

  /** Throws `not_found` where the dataset is not the user's. */
  async choose(id: string, userId: string): Promise<Dataset> {
    const chosen = await store.choose(userId, id)
    if (chosen === undefined) throw notTheirs()
    return chosen
  },

  /** None is the active one any more. */
  leave: (userId: string): Promise<void> => store.leave(userId),

  /** Forgets a dataset; its candles stay. Throws `not_found` where it is not the user's. */
  remove: (id: string, userId: string, address: string): Promise<void> =>
    db.orm.transaction(async (tx) => {
      const removed = await store.remove(tx, userId, id)
      if (removed === undefined) throw notTheirs()
      const subject = { type: 'dataset', id }
      await recordAudit(tx, { actorId: userId, address, action: 'dataset.deleted', subject, before: removed })
    }),
})
export type DatasetDesk = ReturnType<typeof createDatasetDesk>
