import { recordActivities } from '@shapecast/platform/activities'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { LedgerMismatch } from '../ledger/engine-ledger.ts'
import { activitiesOf, type BotNews, newsOf, statusActivity, statusNews } from './bot-news.ts'
import { changeStatuses, mayChange, statusBy } from './bot-status.ts'
import { NotPrepared } from './decision-answers.ts'
import type { DecisionRound } from './decision-round.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotChange, RuntimeStore } from './runtime-store.ts'
import type { BotRow } from './tables.ts'

/** What becomes of what bots decide: the engine fills it and it is booked, or orders for it go to the exchange. */
export interface Execution {
  /** Takes bots through the candles of a round that they have not decided, each once, however often it is called; answers how many went on. */
  decide(due: readonly RunningBot[], round: DecisionRound): Promise<number>
  /** Between closes: acts on prices, on what became of orders, and on the kill switch. */
  between(): Promise<void>
}

/** What bots do in one transaction. Broken off anywhere, it is done by the next run. */
export interface Step {
  readonly botIds: readonly string[]
  /** Before the bots are locked: what may take a while. False if there is nothing to do. */
  prepare?(): Promise<boolean>
  /** What each does, under its lock, and those that cannot go on. */
  moves(tx: Orm, locked: readonly RunningBot[]): Promise<{ changes: readonly BotChange[]; failed: readonly Failed[] }>
  /** Writes down their orders, after what they did. */
  book(tx: Orm): Promise<void>
  /** After the commit: sends what was written down. */
  carryOut?(): Promise<void>
  /** Runs after a success and after a failure. */
  end?(): Promise<void>
}

export interface Failed {
  readonly bot: BotRow
  readonly error: unknown
}

export interface RuntimeDeps {
  db: Database
  store: RuntimeStore
  /** Tells the owners of bots, if and only if the transaction is committed. */
  tell(tx: Orm, news: readonly BotNews[]): Promise<void>
  /** The clock of a replay, ms; null on every other market. */
  replayNow(): Promise<number | null>
  log: Logger
  now(): number
}

/**
 * Takes bots that nobody else is at through a step: what they do, their orders, and what their owners are told of it are
 * one transaction. Answers how many did something.
 */
export async function runStep(deps: RuntimeDeps, step: Step): Promise<number> {
  try {
    if (step.prepare !== undefined && !(await step.prepare())) return 0
    const went = await deps.db.orm.transaction(async (tx) => {
      const locked = await deps.store.lock(tx, step.botIds)
      const before = new Map(locked.map(({ bot, state }) => [bot.id, state.portfolio]))
      const { changes, failed } = await step.moves(tx, locked)
      await deps.store.write(tx, changes, deps.now())
      await step.book(tx)
      await deps.tell(
        tx,
        changes.flatMap((change) => newsOf(change, before.get(change.bot.id)!)),
      )
      // The feed says nothing of what bots do with real money by themselves.
      const shown = changes.filter(({ bot }) => bot.isVirtual).flatMap(activitiesOf)
      if (shown.length > 0) await recordActivities(tx, shown, await deps.replayNow())
      await putToError(deps, tx, failed)
      return changes.length
    })
    await step.carryOut?.()
    return went
  } finally {
    await step.end?.()
  }
}

/** Puts bots that are locked to `error`, but for those that have only changed since they were read, or are there already. */
async function putToError(deps: RuntimeDeps, tx: Orm, failed: readonly Failed[]): Promise<void> {
  const changes = failed.flatMap(({ bot, error }) => {
    if (error instanceof NotPrepared || !mayChange(bot, 'failure')) return []
    deps.log.error({ err: error, bot: bot.id }, 'a bot cannot go on')
    return [{ bot, change: statusBy('failure', reasonOf(error)) }]
  })
  await changeStatuses(tx, changes)
  await deps.tell(
    tx,
    changes.flatMap(({ bot, change }) => statusNews(bot, change)),
  )
  const shown = changes.flatMap(({ bot, change }) => (bot.isVirtual ? statusActivity(bot, change) : []))
  if (shown.length > 0) await recordActivities(tx, shown, await deps.replayNow())
}

/** Puts a bot to `error`, as a step of its own. */
export const failBot = (deps: RuntimeDeps, botId: string, error: unknown): Promise<void> =>
  deps.db.orm.transaction(async (tx) => {
    const locked = await deps.store.lock(tx, [botId])
    const failed = locked.map(({ bot }) => ({ bot, error }))
    await putToError(deps, tx, failed)
  })

/** Notes that bots wait for a candle which should have been there for a while. */
export const noteLate = (deps: RuntimeDeps, due: readonly RunningBot[], round: DecisionRound): Promise<void> =>
  deps.store.waitFor(
    due.filter((running) => round.isDue(running) && round.isLate(running.bot)).map(({ bot }) => bot.id),
    round.closedTs,
  )

/** Why a bot cannot go on, in words for its owner. */
export class CannotGoOn extends Error {
  override readonly name = 'CannotGoOn'
}

function reasonOf(error: unknown): string {
  if (error instanceof CannotGoOn) return error.message
  return error instanceof LedgerMismatch
    ? `Its ledger and its account do not agree, so it does not trade: ${error.message}`
    : 'It met an error of the program and does not trade. The log of the server has it.'
}
