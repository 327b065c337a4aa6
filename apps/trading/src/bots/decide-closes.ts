import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Logger } from '@shapecast/platform/logging'
import { lastClosedOpen } from '@shapecast/venues/venue'
import type { Pace } from '../deciders/decider.ts'
import { createTurns } from '../ground/turns.ts'
import type { Execution } from './bot-runtime.ts'
import type { DecisionSources } from './decision-answers.ts'
import { type BotMarket, createRound } from './decision-round.ts'
import type { RunningBot } from './running-bots.ts'
import type { RuntimeStore } from './runtime-store.ts'

export interface DecideClosesDeps extends DecisionSources {
  market: Pick<BotMarket, 'now' | 'speed' | 'load' | 'rules'>
  store: Pick<RuntimeStore, 'due' | 'timeframes'>
  /** Of virtual bots. */
  paper: Pick<Execution, 'decide'>
  /** Of bots with real money. */
  exchange: Pick<Execution, 'decide'>
  log: Logger
  /** Bots that are read at a time; 500. */
  batch?: number | undefined
}

/**
 * Decides what has closed, for every bot of a timeframe in one round: each series is read and each model asked once,
 * whether its bots trade on paper or at the exchange. Bots that wait for a slow decider, and those that wait for the
 * exchange, keep no other waiting. It may be called at any time, in any process.
 */
export const createCloses = (deps: DecideClosesDeps) => {
  const { market, store, paper, exchange, log, batch = 500 } = deps
  /** Two closes of a timeframe at once would ask each model twice. */
  const turns = createTurns()
  /** What may take long, and whom it is about: a timeframe with slow deciders, or a bot. */
  const aside = new Map<string, Promise<unknown>>()
  /** Bots whose market could not be read when it was last tried: it is said once. */
  const unread = new Set<string>()

  /** Does what may take long beside the rest: nobody that it is about is taken again before its end. */
  function beside(about: readonly string[], work: () => Promise<unknown>): void {
    const done = work()
      .catch((error: unknown) => log.error({ err: error, about }, 'what has closed could not be decided'))
      .finally(() => {
        for (const one of about) aside.delete(one)
      })
    for (const one of about) aside.set(one, done)
  }

  /** Takes all bots of a timeframe that have not decided a candle up to it. */
  async function decideClose(timeframe: Timeframe, pace: Pace, closedTs: number, nowMs: number): Promise<number> {
    const round = createRound({ ...deps, timeframe, closedTs, nowMs })
    const withMoney: RunningBot[] = []
    let went = 0
    let after: string | null = null
    let due: RunningBot[]
    do {
      due = await store.due({ timeframe, pace }, closedTs, after, batch)
      if (due.length === 0) break
      after = due.at(-1)!.bot.id
      const free = due.filter(({ bot }) => !aside.has(bot.id))
      const { ready, waiting } = await round.prepare(free)
      for (const { bot } of ready) unread.delete(bot.id)
      for (const { botId, error } of waiting) {
        if (!unread.has(botId)) log.warn({ err: error, bot: botId }, 'the market of a bot cannot be read: it waits')
        unread.add(botId)
      }
      const virtual = ready.filter(({ bot }) => bot.isVirtual)
      if (virtual.length > 0) went += await paper.decide(virtual, round)
      withMoney.push(...ready.filter(({ bot }) => !bot.isVirtual))
    } while (due.length === batch)
    const ids = withMoney.map(({ bot }) => bot.id)
    if (ids.length > 0) beside(ids, () => exchange.decide(withMoney, round))
    return went
  }

  async function decidePace(timeframe: Timeframe, pace: Pace): Promise<number> {
    const nowMs = await market.now()
    if (nowMs === null) return 0
    const step = TIMEFRAME_MS[timeframe]
    const newestTs = lastClosedOpen(timeframe, nowMs)
    let went = 0
    for (let closedTs = newestTs - candlesInTime(market.speed, step) * step; closedTs <= newestTs; closedTs += step)
      went += await decideClose(timeframe, pace, closedTs, nowMs)
    return went
  }

  /** Decides what has closed of a timeframe; answers how many virtual bots with quick deciders went on. */
  function decideDue(timeframe: Timeframe): Promise<number> {
    if (!aside.has(timeframe))
      beside([timeframe], async () => {
        while ((await decidePace(timeframe, 'slow')) > 0);
      })
    return turns(timeframe, () => decidePace(timeframe, 'quick'))
  }

  return {
    decideDue,

    /** Takes every bot through all that has closed: what makes up for a close that nobody told of. */
    async catchUp(): Promise<void> {
      for (const timeframe of await store.timeframes()) while ((await decideDue(timeframe)) > 0);
    },

    /** Waits for what is done beside the rest. */
    async idle(): Promise<void> {
      while (aside.size > 0) await Promise.all(aside.values())
    },
  }
}

/**
 * Candles before the newest one that are decided as though they were it. None at the speed of the world, where what
 * comes after the next close comes too late to trade. A replay passes candles faster than a busy machine decides, or its
 * feed looks: what it has passed within ten seconds is no miss of the bot's.
 */
const candlesInTime = (speed = 1, step: number): number =>
  speed <= 1 ? 0 : Math.min(MOST_IN_TIME, Math.floor((IN_TIME_MS * speed) / step))
const IN_TIME_MS = 10_000
const MOST_IN_TIME = 10
