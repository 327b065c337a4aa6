import type { BotRecord } from '@shapecast/contracts/bots'
import type { ReplyInputOf } from '@shapecast/contracts/endpoint'
import type { PortfolioHistory, PortfolioSpan, portfolio } from '@shapecast/contracts/portfolio'
import { drawdownPct, drawdownsPct } from '@shapecast/engine/indicators/drawdown'
import { thinPoints } from '@shapecast/engine/thin-points'
import { timeWeightedPct, type WorthStep } from '@shapecast/engine/time-weighted'
import type { Orm } from '@shapecast/platform/database/database'
import type { BotCourse, BotsStep, EquityStore } from '../ledger/equity-store.ts'
import type { BotStore } from './bot-store.ts'
import type { BotEquity } from './equity.ts'
import { heldPct, heldWorth, type LoadCandles } from './held-worth.ts'
import type { TradingStore } from './trading-store.ts'

const DAY_MS = 86_400_000
const SPAN_MS: Readonly<Record<PortfolioSpan, number>> = {
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
}
const MOST_POINTS = 300

export interface PortfolioHistoryDeps {
  orm: Orm
  kept: Pick<EquityStore, 'botSteps' | 'botCourses'>
  bots: Pick<BotStore, 'ownOf'>
  states: Pick<TradingStore, 'begun'>
  equity: Pick<BotEquity, 'moneyOf'>
  candles: LoadCandles
  /** The market's clock, ms; null where it has none. */
  marketNow(): Promise<number | null>
}

/** How the bots of a user did together. */
export const createPortfolioHistory = (deps: PortfolioHistoryDeps) => {
  const { orm, kept, bots, states, equity, candles, marketNow } = deps

  /** What the pairs of these bots would be worth at `times`, each begun with what its bot had then. */
  async function holdSteps(
    own: readonly BotRecord[],
    courses: ReadonlyMap<string, BotCourse>,
    times: readonly number[],
  ): Promise<WorthStep[] | null> {
    const steps = times.map(() => ({ worth: 0, base: 0 }))
    const held = await Promise.all(
      own.map(async (bot) => {
        const course = courses.get(bot.id)
        const from = course === undefined ? -1 : times.findIndex((time) => time >= course.sinceMs)
        if (course === undefined || from === -1) return []
        const worth = await heldWorth(candles, bot, course.values[0]!, times.slice(from))
        return worth === null ? null : { from, worth }
      }),
    )
    for (const one of held.flat()) {
      if (one === null) return null
      for (const [i, worth] of one.worth.entries()) {
        steps[one.from + i]!.worth += worth
        steps[one.from + i]!.base += one.worth[Math.max(0, i - 1)]!
      }
    }
    return steps
  }

  async function historyOf(
    steps: readonly BotsStep[],
    own: readonly BotRecord[],
    courses: ReadonlyMap<string, BotCourse>,
  ): Promise<PortfolioHistory | null> {
    if (steps.length === 0) return null
    const pct = timeWeightedPct(steps)
    const shown = thinPoints(pct, MOST_POINTS)
    const times = shown.map((i) => steps[i]!.atMs)
    const hold = await holdSteps(own, courses, times)
    const holdPct = timeWeightedPct(hold ?? [])
    const drawdowns = drawdownsPct(
      pct.map((value) => 1 + value / 100),
      1,
    )
    return {
      points: shown.map((i) => ({ t: steps[i]!.atMs, pct: pct[i]! })),
      hold: hold === null ? [] : times.map((t, i) => ({ t, pct: holdPct[i]! })),
      drawdownPct: drawdowns.at(-1)!,
      worstDrawdownPct: drawdowns.reduce((worst, value) => Math.max(worst, value), 0),
    }
  }

  return async (userId: string, span: PortfolioSpan): Promise<ReplyInputOf<typeof portfolio>> => {
    const [own, nowMs] = await Promise.all([bots.ownOf(userId), marketNow()])
    if (nowMs === null) return { virtual: null, real: null, courses: [] }
    const sinceMs = Math.max(0, nowMs - SPAN_MS[span])
    const money = await equity.moneyOf(own)
    const now = own.flatMap(({ isVirtual, initialBalance: deposits }, i) => {
      const { accountId, equity } = money[i]!
      return accountId === null ? [] : [{ accountId, isVirtual, equity, deposits }]
    })
    const [steps, list, begun] = await Promise.all([
      kept.botSteps(orm, userId, { sinceMs, nowMs }, now),
      kept.botCourses(orm, userId, sinceMs),
      states.begun(own.map(({ id }) => id)),
    ])
    const courses = new Map(list.map((course) => [course.botId, course]))
    const of = (isVirtual: boolean) =>
      historyOf(
        steps.filter((step) => step.isVirtual === isVirtual),
        own.filter((bot) => bot.isVirtual === isVirtual),
        courses,
      )
    const [virtual, real] = await Promise.all([of(true), of(false)])
    const drawn = await Promise.all(
      own.map(async (bot, i) => {
        const course = courses.get(bot.id)
        if (course === undefined) return []
        const { equity } = money[i]!
        const { sinceMs: fromMs = null, peak = bot.initialBalance } = begun.get(bot.id) ?? {}
        return {
          botId: bot.id,
          values: [...course.values, equity],
          holdPct: fromMs === null ? null : await heldPct(candles, bot, fromMs, nowMs),
          drawdownPct: drawdownPct(equity, Math.max(peak, equity)),
        }
      }),
    )
    return { virtual, real, courses: drawn.flat() }
  }
}
export type ReadPortfolioHistory = ReturnType<typeof createPortfolioHistory>
