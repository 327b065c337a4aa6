import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import type { Batch, BatchRequest, BatchSummary } from '@shapecast/contracts/batch'
import type { BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { Member } from '@shapecast/platform/sessions'
import { orderOf } from '../backtests/backtest-order.ts'
import { deciderOf } from '../deciders/deciders.ts'
import { listJobs } from '../ground/jobs/job-rows.ts'
import type { Asker } from '../ground/ownership.ts'
import { type FileFormat, tableFile } from '../ground/table-file.ts'
import { nameOrigin } from '../rules/rule-service.ts'
import { requestLabJob } from '../search/lab-job.ts'
import { BATCH, batchTitle, shownBatch } from './batch-kind.ts'
import { cellColumns } from './lab-files.ts'
import type { LabDeps } from './walk-service.ts'

export interface BatchDeps extends LabDeps {
  /** Throws `not_found` where the viewer may not see it. */
  readonly readBot: (id: string, viewer: Asker) => Promise<BotRecord>
}

/** The order of each cell, symbol by symbol. Throws `bad_input` for a rule that cannot be read. */
export function batchOrders(request: BatchRequest, bot: BotRecord | null) {
  const { symbols, timeframes, keptPct, ...tested } = request
  return symbols.flatMap((symbol) =>
    timeframes.map((timeframe) =>
      orderOf(
        BacktestRequest.parse({ ...tested, symbol, timeframe }),
        // On whatever pair: the strategy is tested, not the bot's own pairs.
        bot === null ? null : { ...bot, tradingPairs: [symbol] },
      ),
    ),
  )
}

/** Asking for batches, following and reading them. */
export const createBatchService = ({ db, jobs, market, readBot }: BatchDeps) => ({
  /** Queues a batch and answers its id. Throws `not_found`, `bad_input`, `unprocessable` (openai), `too_many_requests`. */
  async request(asked: BatchRequest, asker: Member): Promise<string> {
    const { rule: text, ruleOrigin: origin } = asked
    const ruleOrigin = origin && (await nameOrigin(db.orm, origin, { text, field: 'ruleOrigin' }, asker))
    const request = { ...asked, ruleOrigin }
    const bot = request.botId === undefined ? null : await readBot(request.botId, asker)
    const orders = batchOrders(request, bot)
    deciderOf(orders[0]!.bot, orders[0]!.plan).replay?.requireKnown(false)
    const payload = { request, orders, venue: market.venue }
    return requestLabJob({ db, jobs }, BATCH, { title: batchTitle(payload), payload }, asker)
  },

  list: async (asker: Asker, limit: number): Promise<BatchSummary[]> =>
    (await listJobs(db.orm, BATCH, asker, limit)).map(shownBatch),

  /** The runs. Throws `not_found`, and `conflict` before there is a result. */
  async export(id: string, format: FileFormat, asker: Asker) {
    const { result, payload } = await jobs.read(BATCH, id, asker)
    if (result === null) throw new AppError('conflict', 'This batch has no result yet. Wait for it to end.')
    return tableFile(`batch-${id.slice(-8)}`, cellColumns(result.cells, payload.request.ruleOrigin), format)
  },

  /** Throws `not_found`. */
  async read(id: string, asker: Asker): Promise<Batch> {
    const job = await jobs.read(BATCH, id, asker)
    return { ...shownBatch(job), result: job.result }
  },
})
export type BatchService = ReturnType<typeof createBatchService>
