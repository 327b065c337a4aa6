import type { Dataset, DatasetPreview } from '@shapecast/contracts/datasets'
import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { candlesHash } from '@shapecast/ml/recipe/data-hash'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import type { VenueCandles } from '../series-market.ts'
import { type DatasetOrder, datasetCandles } from './dataset-range.ts'
import type { DatasetStore } from './dataset-store.ts'
import { createExports } from './export-apart.ts'

const MOST_OF_A_USER = 500
const MOST_PREVIEWED = 1_000_000

const notTheirs = () => new AppError('not_found', 'This dataset does not exist, or it is not yours.')

export interface DatasetServiceDeps {
  db: Database
  store: DatasetStore
  candles: VenueCandles
  /** Makes a dataset's zip. */
  zip?: ReturnType<typeof createExports>
  now(): number
}

/** Looking at candles before training on them, taking them along, and remembering which. */
export const createDatasetService = ({ db, store, candles, now, zip = createExports() }: DatasetServiceDeps) => {
  /** Makes a dataset the user's active one, or none for null, on record. */
  const setActive = (id: string | null, member: Member): Promise<Dataset | null> =>
    db.orm.transaction(async (tx) => {
      const made = await store.choose(tx, member.userId, id)
      if (made === undefined) throw notTheirs()
      const { chosen, before } = made
      if (before !== id)
        await recordAudit(tx, member, {
          action: id === null ? 'dataset.left' : 'dataset.chosen',
          subject: { type: 'dataset', id: id ?? before! },
          before: { active: before },
          after: { active: id },
        })
      return chosen
    })

  return {
    /** What a range holds. Throws `unknown_symbol`, and `bad_input` where that is more than a million candles. */
    async preview(asked: {
      symbol: string
      timeframe: Timeframe
      from?: number | undefined
      to?: number | undefined
    }): Promise<DatasetPreview> {
      const { symbol, timeframe } = asked
      const range = { fromMs: asked.from, toMs: asked.to, limit: MOST_PREVIEWED + 1 }
      const found = await candles.load(symbol, timeframe, range)
      if (found.length > MOST_PREVIEWED)
        throw new AppError(
          'bad_input',
          `This range has more than 1,000,000 candles of ${symbol} ${timeframe}. Choose a shorter one, or a larger timeframe.`,
          { field: 'from' },
        )
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
    async save(order: DatasetOrder, member: Member): Promise<Dataset> {
      const { rows } = await datasetCandles(candles, order)
      const row = {
        userId: member.userId,
        symbol: order.symbol,
        timeframe: order.timeframe,
        rows: rows.length,
        fromTs: rows.ts[0]!,
        toTs: rows.ts[rows.length - 1]!,
        hash: candlesHash(rows),
        createdAtMs: now(),
      }
      return db.orm.transaction(async (tx) => {
        const saved = await store.save(tx, row, MOST_OF_A_USER)
        if (saved === undefined)
          throw new AppError('unprocessable', `A user keeps at most ${MOST_OF_A_USER} datasets. Delete some first.`)
        const { dataset, isNew } = saved
        const subject = { type: 'dataset', id: dataset.id }
        if (isNew) await recordAudit(tx, member, { action: 'dataset.saved', subject, after: dataset })
        return dataset
      })
    },

    list: (userId: string): Promise<Dataset[]> => store.list(userId),

    active: (userId: string): Promise<Dataset | null> => store.active(userId),

    /** Throws `not_found` where the dataset is not the user's. */
    choose: async (id: string, member: Member): Promise<Dataset> => (await setActive(id, member))!,

    /** None is the active one any more. */
    leave: (member: Member): Promise<Dataset | null> => setActive(null, member),

    /** Forgets a dataset; its candles stay. Throws `not_found` where it is not the user's. */
    remove: (id: string, member: Member): Promise<void> =>
      db.orm.transaction(async (tx) => {
        const removed = await store.remove(tx, member.userId, id)
        if (removed === undefined) throw notTheirs()
        const subject = { type: 'dataset', id }
        await recordAudit(tx, member, { action: 'dataset.deleted', subject, before: removed })
      }),
  }
}
export type DatasetService = ReturnType<typeof createDatasetService>
