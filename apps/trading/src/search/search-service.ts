import type { BotDraft } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { isEarned, type SearchRequest, type SearchResult, type SearchSummary } from '@shapecast/contracts/search'
import { recordAudit } from '@shapecast/platform/audit'
import type { Member } from '@shapecast/platform/sessions'
import type { BacktestServiceDeps } from '../backtests/backtest-service.ts'
import { deciderOf } from '../deciders/deciders.ts'
import { deleteOver, listJobs } from '../ground/jobs/job-rows.ts'
import type { Asker } from '../ground/ownership.ts'
import { type FileFormat, tableFile } from '../ground/table-file.ts'
import { openedAt } from '../trials/opened.ts'
import { trialsOf } from '../trials/trials.ts'
import { requestLabJob } from './lab-job.ts'
import { type AskedCandles, keptFrom, searchCandles, searchOrder, stretchOf } from './search-candles.ts'
import { pointColumns } from './search-file.ts'
import { type Found, SEARCH, type SearchJob, shownSearch } from './search-kind.ts'
import { botDraft, firstPlan, titleOf, withOrigin } from './search-order.ts'
import { readResult, readWinner } from './search-store.ts'

export interface SearchServiceDeps extends Pick<BacktestServiceDeps, 'db' | 'jobs' | 'market' | 'models'> {
  /** Makes a stopped bot; throws what making one throws. */
  createBot(draft: BotDraft, member: Member): Promise<string>
}

/** What a bot says of the search that it is from. */
const origin = ({ code, p, kept, points, sharpe }: Found): string => {
  const verdict = isEarned({ p, kept })
    ? 'more than luck, so far'
    : code === 'cannot_tell'
      ? 'no better than luck'
      : 'not shown on unseen candles'
  return `Best of ${points} combinations of a search: ${verdict} (reality check p = ${p.toFixed(3)}, Sharpe ratio ${sharpe.toFixed(2)} where it was chosen).`
}

/** Asking for searches, following them, reading what they found, and taking it. */
export const createSearchService = ({ db, jobs, market, models, createBot }: SearchServiceDeps) => {
  const seriesOf = ({ symbol, timeframe }: Pick<AskedCandles, 'symbol' | 'timeframe'>) => ({
    venue: market.venue,
    symbols: [symbol],
    timeframe,
  })
  const read = (id: string, asker: Asker): Promise<SearchJob> => jobs.read(SEARCH, id, asker)

  return {
    /**
     * Queues a search and answers its id. Throws `bad_input`, `no_candles`, `too_few_candles`, `unknown_symbol`,
     * `model_not_trained`, `too_many_requests`.
     */
    async request(request: SearchRequest, asker: Member): Promise<string> {
      const order = await withOrigin(db.orm, await searchOrder(market, request), asker)
      const plan = firstPlan(order)
      const { symbol, timeframe } = request
      for (const version of deciderOf({ strategy: 'ml' }, plan).versions(plan))
        await models.find(version ?? (await models.currentOn(symbol, timeframe)), symbol, timeframe)
      const payload = { ...order, venue: market.venue }
      return requestLabJob({ db, jobs }, SEARCH, { title: titleOf(order.request), payload }, asker)
    },

    /** What a search would stand on. Throws `no_candles`, `unknown_symbol`. */
    async ground(asked: AskedCandles & { keptPct: number }, { userId }: Asker) {
      const candles = await searchCandles(market, asked)
      const locked = keptFrom(candles.length, asked.keptPct)
      const kept = stretchOf(candles, locked, candles.length)
      const series = seriesOf(asked)
      return {
        searched: stretchOf(candles, 0, locked)!,
        kept,
        keptOpenedAt: kept && (await openedAt(db.orm, userId, series, { fromMs: kept.from, toMs: kept.to })),
        tries: await trialsOf(db.orm, [userId], series),
      }
    },

    async list(asker: Asker, limit: number): Promise<SearchSummary[]> {
      const found = await listJobs(db.orm, SEARCH, asker, limit)
      return found.map((job) => shownSearch(job, asker))
    },

    /** The JSON text of a Search. Throws `not_found`. */
    async show(id: string, asker: Asker): Promise<string> {
      const job = await read(id, asker)
      const tries = await trialsOf(db.orm, job.userId === null ? [] : [job.userId], seriesOf(job.payload.request))
      const text = JSON.stringify({ ...shownSearch(job, asker), tries })
      return `${text.slice(0, -1)},"result":${await readResult(db.orm, id)}}`
    },

    /** Every combination. Throws `not_found`, and `conflict` before there is a result. */
    async export(id: string, format: FileFormat, asker: Asker) {
      const { payload } = await read(id, asker)
      const text = await readResult(db.orm, id)
      if (text === null) throw new AppError('conflict', 'This search has found nothing yet. Wait for it to end.')
      const { request } = payload
      return tableFile(`search-${id.slice(-8)}`, pointColumns(JSON.parse(text) as SearchResult, request), format)
    },

    /** Throws `not_found`, and `conflict` while it waits or runs. */
    remove: (id: string, asker: Member): Promise<void> =>
      db.orm.transaction(async (tx) => {
        await jobs.read(SEARCH, id, asker, tx)
        if (!(await deleteOver(tx, SEARCH, id)))
          throw new AppError('conflict', 'This search is still under way. Cancel it first.')
        await recordAudit(tx, asker, { action: 'search.deleted', subject: { type: 'search', id } })
      }),

    /** Makes a virtual bot of the best. Throws `not_found`, `conflict` before there is one, `unprocessable` without `anyway`. */
    async take(id: string, { name, anyway }: { name: string; anyway: boolean }, asker: Member): Promise<string> {
      const { result, payload } = await read(id, asker)
      const winner = await readWinner(db.orm, id)
      if (result === null || winner === null)
        throw new AppError('conflict', 'This search has found nothing yet. Wait for it to end.')
      if (!isEarned(result) && !anyway)
        throw new AppError(
          'unprocessable',
          result.code === 'cannot_tell'
            ? 'The best is no better than luck. Take it anyway as a virtual bot that says so.'
            : 'The best was not shown on candles that were kept unseen. Take it anyway as a virtual bot that says so.',
          { field: 'anyway' },
        )
      return createBot(botDraft(payload, winner.values, { name, description: origin(result) }), asker)
    },
  }
}
export type SearchService = ReturnType<typeof createSearchService>
