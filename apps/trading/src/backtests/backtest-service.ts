import { once } from 'node:events'
import { type BacktestJob, type BacktestRun, BacktestRunSummary, type RUN_PARTS } from '@shapecast/contracts/backtest'
import { type BacktestRequest, BOT_NOT_FOUND } from '@shapecast/contracts/backtest-request'
import type { BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { type RunComparison, whyNotComparable } from '@shapecast/contracts/run-comparison'
import type { Trials } from '@shapecast/contracts/trials'
import { compareRuns } from '@shapecast/engine/run-comparison'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { deciderOf } from '../deciders/deciders.ts'
import { unknownFirst } from '../forecasts/unknown-first.ts'
import { bound } from '../ground/bound.ts'
import type { Jobs } from '../ground/jobs/jobs.ts'
import type { Asker } from '../ground/ownership.ts'
import { type FileFormat, tableFile } from '../ground/table-file.ts'
import type { SeriesMarket } from '../market/series-market.ts'
import type { LentModels } from '../models/model-service.ts'
import { nameOrigin } from '../rules/rule-service.ts'
import { countTrials, trialsOf } from '../trials/trials.ts'
import { BACKTEST, jobOf, wordsOf } from './backtest-kind.ts'
import { type BacktestOrder, orderOf } from './backtest-order.ts'
import { heldCandles, withJudgement } from './judged-run.ts'
import { checkRows, NO_CANDLES } from './run-candles.ts'
import { comparisonColumns, runColumns } from './run-file.ts'
import type { FoundRun, RunOwner, RunScope, RunStore } from './run-store.ts'

const LONGEST_WAIT_MS = 25_000
/** Between two looks at a job, should nobody tell of its end. */
const LOOK_EVERY_MS = 1000

const NOT_YOURS = 'This run does not exist, or it belongs to somebody else.'

const NOT_COMPARABLE = {
  other_market: 'Only runs of one market and timeframe can be compared.',
  other_range: 'Only runs whose ranges share half of the shorter one can be compared.',
} as const

const untilAborted = async (_id: string, signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

const ownerOf = ({ userId, role }: Asker): RunOwner => (role === 'admin' ? 'all' : { userId })

interface RunExport {
  readonly part: (typeof RUN_PARTS)[number]
  readonly format: FileFormat
}

export interface BacktestServiceDeps {
  db: Database
  jobs: Jobs
  runs: RunStore
  market: SeriesMarket
  models: LentModels
  bots: {
    /** Throws `not_found` where the viewer may not see it. */
    read(id: string, viewer: Asker): Promise<BotRecord>
    publicIds(): Promise<string[]>
  }
  /** Whether an openai bot has decisions that can be replayed. */
  hasKeptVotes(botId: string): Promise<boolean>
  /** How long a call that waits for its run does, ms; 25 s. */
  longestWaitMs?: number | undefined
  /** Resolves when a job has ended, or when the signal fires. */
  ended?: ((id: string, signal: AbortSignal) => Promise<void>) | undefined
}

const scopeOf = async ({ bots }: BacktestServiceDeps, viewer: Asker | null): Promise<RunScope> =>
  viewer?.role === 'admin' ? 'all' : { userId: viewer?.userId ?? null, publicBots: await bots.publicIds() }

/** Throws `not_found` where the viewer may not see one of them. */
async function readRuns(deps: BacktestServiceDeps, ids: readonly string[], viewer: Asker | null): Promise<FoundRun[]> {
  const found = await deps.runs.find(ids, await scopeOf(deps, viewer))
  return ids.map((id) => {
    const run = found.get(id)
    if (run === undefined)
      throw new AppError('not_found', 'This run does not exist, or it belongs to a private bot of somebody else.')
    return run
  })
}

/** On the series of the first, by the users of all; undefined where they have none. */
async function trialsOfRuns({ db }: BacktestServiceDeps, found: readonly FoundRun[]): Promise<Trials | undefined> {
  const users = new Set(found.flatMap(({ userId }) => userId ?? []))
  return users.size === 0 ? undefined : trialsOf(db.orm, [...users], found[0]!.series)
}

/** The JSON text of a BacktestRun. Throws `not_found` where the viewer may not see it. */
async function readRun(deps: BacktestServiceDeps, id: string, viewer: Asker | null): Promise<string> {
  const found = await readRuns(deps, [id], viewer)
  const text = await withJudgement(found[0]!.text, deps.market)
  const trials = await trialsOfRuns(deps, found)
  return trials === undefined ? text : `${text.slice(0, -1)},"trials":${JSON.stringify(trials)}}`
}

/** Saved runs, the newest first; a viewer of null sees those of public bots. */
const list = async (
  deps: BacktestServiceDeps,
  viewer: Asker | null,
  filter: Parameters<RunStore['list']>[1],
): Promise<BacktestRunSummary[]> => deps.runs.list(await scopeOf(deps, viewer), filter)

/** The trades or the equity of a run as a file. Throws `not_found`. */
async function exportRun(deps: BacktestServiceDeps, id: string, { part, format }: RunExport, viewer: Asker | null) {
  const [{ text }] = (await readRuns(deps, [id], viewer)) as [FoundRun]
  const run: BacktestRun = JSON.parse(text)
  return tableFile(`${part}-${run.symbol}-${run.timeframe}-${id.slice(-8)}`, runColumns(run, part), format)
}

/** Runs on the stretch that none of their models has seen. Throws `not_found`, and `unprocessable` where they differ too much. */
async function compare(
  deps: BacktestServiceDeps,
  ids: readonly string[],
  viewer: Asker | null,
): Promise<RunComparison> {
  const stored = await readRuns(deps, ids, viewer)
  const found = stored.map(({ text }): BacktestRun => JSON.parse(text))
  const [first, ...others] = found as [BacktestRun, ...BacktestRun[]]
  for (const other of others) {
    const why = whyNotComparable(first, other)
    if (why !== null) throw new AppError('unprocessable', NOT_COMPARABLE[why])
  }
  const compared = compareRuns(found, await heldCandles(deps.market, first))
  const trials = await trialsOfRuns(deps, stored)
  return { runs: found.map((run) => BacktestRunSummary.parse(run)), ...(trials && { trials }), ...compared }
}

/** The curves of `compare` as a file. Throws what `compare` throws, and `unprocessable` if the runs share no candles. */
async function exportComparison(
  deps: BacktestServiceDeps,
  ids: readonly string[],
  format: FileFormat,
  viewer: Asker | null,
) {
  const compared = await compare(deps, ids, viewer)
  if (compared.stretch === null)
    throw new AppError('unprocessable', 'There is no part that none of the models has seen: choose later runs.')
  const [{ symbol, timeframe }] = compared.runs as [BacktestRunSummary]
  return tableFile(`runs-${symbol}-${timeframe}`, comparisonColumns(compared), format)
}

/** Throws `not_found` where the run belongs to somebody else. */
const changeRun = (
  { db, runs }: BacktestServiceDeps,
  id: string,
  notes: Parameters<RunStore['change']>[3],
  asker: Member,
): Promise<BacktestRunSummary> =>
  db.orm.transaction(async (tx) => {
    const changed = await runs.change(tx, id, ownerOf(asker), notes)
    if (changed === undefined) throw new AppError('not_found', NOT_YOURS)
    await recordAudit(tx, asker, { action: 'backtest.run_noted', subject: { type: 'backtest_run', id }, after: notes })
    return changed
  })

/** Throws `not_found` where the run belongs to somebody else. */
const deleteRun = ({ db, runs }: BacktestServiceDeps, id: string, asker: Member): Promise<void> =>
  db.orm.transaction(async (tx) => {
    if (!(await runs.remove(tx, id, ownerOf(asker)))) throw new AppError('not_found', NOT_YOURS)
    await recordAudit(tx, asker, { action: 'backtest.run_deleted', subject: { type: 'backtest_run', id } })
  })

/** What is chosen in a backtest: not the candles, not what trading costs, not what a bot or a rule is called. */
export const triedBy = ({ mode, plan, bot, symbol, symbols, noSameBarReentry }: BacktestOrder) => {
  const { strategy, riskLevel, positionSize } = bot
  const { ruleOrigin: _origin, ...chosen } = bot.parameters ?? {}
  const parameters = bot.parameters && chosen
  return { mode, plan, strategy, riskLevel, positionSize, parameters, symbol, symbols, noSameBarReentry }
}

async function requireModels({ market, models }: BacktestServiceDeps, order: BacktestOrder): Promise<void> {
  const { plan, bot, symbols, symbol: first, timeframe } = order
  const asked = deciderOf(bot, plan).versions(plan)
  const versions = asked.filter((version) => version !== null)
  const known = { load: market.load, requireVersion: models.requireVersion }
  for (const symbol of symbols ?? [first])
    await unknownFirst(known, { symbol, timeframe, versions }, async () => {
      if (asked.length > versions.length) await models.currentOn(symbol, timeframe)
      for (const version of versions) await models.find(version, symbol, timeframe)
    })
}

/** The bot to test, in the page's words if there is none to be seen. */
const selected = ({ bots }: BacktestServiceDeps, id: string, asker: Asker): Promise<BotRecord> =>
  bots.read(id, asker).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') throw new AppError('not_found', BOT_NOT_FOUND)
    throw error
  })

/**
 * Queues a backtest and answers the id of its job. The bot's settings are taken as they are now. Throws
 * `not_found`, `unknown_symbol`, `unprocessable` (openai), `bad_input` (rows that are no candles), `no_candles`,
 * `model_not_trained`, `too_many_requests`.
 */
async function request(deps: BacktestServiceDeps, body: BacktestRequest, asker: Member): Promise<string> {
  const { db, jobs, market } = deps
  const { userId } = asker
  const bot = body.botId === undefined ? null : await selected(deps, body.botId, asker)
  const { rule: text, ruleOrigin: origin } = body
  const ruleOrigin = origin && (await nameOrigin(db.orm, origin, { text, field: 'ruleOrigin' }, asker))
  const order = orderOf({ ...body, ruleOrigin }, bot)
  const { mode, symbol, symbols = [symbol], timeframe } = order
  const { replay } = deciderOf(order.bot, order.plan)
  if (replay !== undefined && bot !== null) replay.requireKnown(await deps.hasKeptVotes(bot.id))
  await requireModels(deps, order)
  if (order.rows === undefined || order.rows.length === 0) {
    const { fromMs, toMs } = order
    const [newest] = (await market.load(symbol, timeframe, { fromMs, toMs, limit: 1 })).ts
    if (newest === undefined) throw new AppError('no_candles', NO_CANDLES)
  } else checkRows(order.rows, timeframe)
  return db.orm.transaction(async (tx) => {
    const { id } = await jobs.request(tx, BACKTEST, { userId, key: null, title: wordsOf(order), payload: order })
    const series = { venue: market.venue, symbols, timeframe }
    await countTrials(tx, { userId, series, kind: 'backtest', tried: triedBy(order) })
    await recordAudit(tx, asker, {
      action: 'backtest.requested',
      subject: { type: 'backtest', id },
      after: { mode, botId: order.bot.id, botName: order.bot.name, symbol },
    })
    return id
  })
}

/** As `request`, and waits for the run: 25 s at most, then `unavailable` with the job still under way. */
async function runNow(
  deps: BacktestServiceDeps,
  body: BacktestRequest,
  asker: Member,
  gone: AbortSignal,
): Promise<string> {
  const { jobs, longestWaitMs = LONGEST_WAIT_MS, ended = untilAborted } = deps
  const id = await request(deps, body, asker)
  const deadlineMs = performance.now() + longestWaitMs
  while (performance.now() < deadlineMs && !gone.aborted) {
    // Listens before it looks, so that no end falls between the two.
    const told = ended(id, AbortSignal.any([AbortSignal.timeout(LOOK_EVERY_MS), gone]))
    const { status, result, error } = await jobs.read(BACKTEST, id, asker)
    if (status === 'queued' || status === 'running') await told
    if (status === 'completed') return readRun(deps, result!.runId, asker)
    if (status === 'failed') throw new AppError('unprocessable', error!)
    if (status === 'cancelled') throw new AppError('unprocessable', 'The backtest was cancelled.')
  }
  throw new AppError(
    'unavailable',
    `The backtest takes longer than ${longestWaitMs / 1000} seconds and goes on. Follow it as job ${id}.`,
    { retryAfterS: 5 },
  )
}

const read = async ({ jobs }: BacktestServiceDeps, id: string, asker: Asker): Promise<BacktestJob> =>
  jobOf(await jobs.read(BACKTEST, id, asker))

/** Asking for backtests, following them, and reading what they came to. */
export const createBacktestService = (deps: BacktestServiceDeps) =>
  bound(deps, {
    list,
    readRun,
    exportRun,
    compare,
    exportComparison,
    changeRun,
    deleteRun,
    request,
    runNow,
    read,
  })

export type BacktestService = ReturnType<typeof createBacktestService>
