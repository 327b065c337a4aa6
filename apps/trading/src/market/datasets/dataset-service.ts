import type { Dataset, DatasetPreview, previewDataset } from '@shapecast/contracts/datasets'
import type { QueryOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { candlesHash } from '@shapecast/ml/recipe/data-hash'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import type { Member } from '@shapecast/platform/sessions'
import { and, desc, eq } from 'drizzle-orm'
import { bound } from '../../ground/bound.ts'
import { matching } from '../../ground/matching.ts'
import type { VenueCandles } from '../series-market.ts'
import { type DatasetOrder, datasetCandles } from './dataset-range.ts'
import { createExports } from './export-apart.ts'
import { type DatasetRow, datasets } from './tables.ts'

const MOST_OF_A_USER = 500
const MOST_PREVIEWED = 1_000_000

interface Datasets {
  readonly db: Database
  readonly candles: VenueCandles
  /** Makes a dataset's zip. */
  readonly zip: ReturnType<typeof createExports>
  now(): number
}

const notTheirs = () => new AppError('not_found', 'This dataset does not exist, or it is not yours.')

const own = ({ candles: { venue } }: Datasets, userId: string) => matching(datasets, { userId, venue })

const shown = ({ userId: _user, fromTs: from, toTs: to, createdAtMs: createdAt, ...row }: DatasetRow): Dataset => ({
  ...row,
  timeframe: row.timeframe as Dataset['timeframe'],
  from,
  to,
  createdAt,
})

/** What a range holds. Throws `unknown_symbol`, and `bad_input` where that is more than a million candles. */
async function preview({ candles }: Datasets, asked: QueryOf<typeof previewDataset>): Promise<DatasetPreview> {
  const { symbol, timeframe, from: fromMs, to: toMs } = asked
  const found = await candles.load(symbol, timeframe, { fromMs, toMs, limit: MOST_PREVIEWED + 1 })
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
    first: found.ts[0] ?? null,
    last: found.ts.at(-1) ?? null,
    example: empty ? null : { open: found.open[0]!, close: found.close[0]! },
  }
}

/** A zip and its name. Throws `no_candles`, `too_few_candles`, `unknown_symbol`, `too_many_requests`. */
async function exportZip({ candles, zip, now }: Datasets, order: DatasetOrder) {
  const { symbol, timeframe, limit } = order
  const found = await datasetCandles(candles, order)
  const meta = { venue: candles.venue, symbol, timeframe, createdAtMs: now() }
  return { name: `dataset-${symbol}-${timeframe}-${limit}.zip`, content: zip(meta, found) }
}

/** Remembers a dataset; the same one again is the same. Throws as `export` does, and `unprocessable` past 500. */
async function save(ctx: Datasets, order: DatasetOrder, member: Member): Promise<Dataset> {
  const { userId } = member
  const { rows } = await datasetCandles(ctx.candles, order)
  const row = {
    userId,
    venue: ctx.candles.venue,
    symbol: order.symbol,
    timeframe: order.timeframe,
    rows: rows.length,
    fromTs: rows.ts[0]!,
    toTs: rows.ts[rows.length - 1]!,
    hash: candlesHash(rows),
    createdAtMs: ctx.now(),
  }
  return ctx.db.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, `datasets of ${userId}`)
    const { venue, symbol, timeframe, fromTs, toTs, hash } = row
    const same = matching(datasets, { userId, venue, symbol, timeframe, fromTs, toTs, hash })
    const [there] = await tx.select().from(datasets).where(same)
    if (there !== undefined) return shown(there)
    if ((await tx.$count(datasets, own(ctx, userId))) >= MOST_OF_A_USER)
      throw new AppError('unprocessable', `A user keeps at most ${MOST_OF_A_USER} datasets. Delete some first.`)
    const [added] = await tx.insert(datasets).values(row).returning()
    const saved = shown(added!)
    const subject = { type: 'dataset', id: saved.id }
    await recordAudit(tx, member, { action: 'dataset.saved', subject, after: saved })
    return saved
  })
}

const list = async (ctx: Datasets, userId: string): Promise<Dataset[]> => {
  const newestFirst = [desc(datasets.createdAtMs), desc(datasets.id)]
  const rows = ctx.db.orm.select().from(datasets).where(own(ctx, userId))
  return (await rows.orderBy(...newestFirst)).map(shown)
}

async function active(ctx: Datasets, userId: string): Promise<Dataset | null> {
  const isActive = and(own(ctx, userId), datasets.active)
  const [row] = await ctx.db.orm.select().from(datasets).where(isActive)
  return row === undefined ? null : shown(row)
}

/** Makes a dataset the user's active one, or none for null, on record. */
const setActive = (ctx: Datasets, id: string | null, member: Member): Promise<Dataset | null> =>
  ctx.db.orm.transaction(async (tx) => {
    const theirs = own(ctx, member.userId)
    // All of a user's rows are taken first, so that two choices at once come one after the other.
    const rows = await tx.select().from(datasets).where(theirs).orderBy(datasets.id).for('update')
    const chosen = rows.find((row) => row.id === id)
    if (id !== null && chosen === undefined) throw notTheirs()
    const before = rows.find((row) => row.active)?.id ?? null
    await tx.update(datasets).set({ active: false }).where(and(theirs, datasets.active))
    if (id !== null) await tx.update(datasets).set({ active: true }).where(eq(datasets.id, id))
    if (before !== id)
      await recordAudit(tx, member, {
        action: id === null ? 'dataset.left' : 'dataset.chosen',
        subject: { type: 'dataset', id: id ?? before! },
        before: { active: before },
        after: { active: id },
      })
    return chosen === undefined ? null : shown({ ...chosen, active: true })
  })

/** Throws `not_found` where the dataset is not the user's. */
const choose = async (ctx: Datasets, id: string, member: Member): Promise<Dataset> =>
  (await setActive(ctx, id, member))!

/** None is the active one any more. */
const leave = async (ctx: Datasets, member: Member): Promise<void> => void (await setActive(ctx, null, member))

/** Forgets a dataset; its candles stay. Throws `not_found` where it is not the user's. */
const remove = (ctx: Datasets, id: string, member: Member): Promise<void> =>
  ctx.db.orm.transaction(async (tx) => {
    const which = and(own(ctx, member.userId), eq(datasets.id, id))
    const [removed] = await tx.delete(datasets).where(which).returning()
    if (removed === undefined) throw notTheirs()
    const subject = { type: 'dataset', id }
    await recordAudit(tx, member, { action: 'dataset.deleted', subject, before: shown(removed) })
  })

/** Looking at candles before training on them, taking them along, and remembering which. */
export const createDatasetService = (deps: Omit<Datasets, 'zip'>) =>
  bound({ ...deps, zip: createExports() }, { preview, export: exportZip, save, list, active, choose, leave, remove })
export type DatasetService = ReturnType<typeof createDatasetService>
