import type { RebalanceOrder, RebalancePreview } from '@shapecast/contracts/bot-rebalances'
import type { BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { planOf } from '@shapecast/engine/policies/plan'
import { copyPortfolio, type HandTarget, isToClose } from '@shapecast/engine/portfolio'
import type { Rules } from '@shapecast/engine/rules'
import type { Orm } from '@shapecast/platform/database/database'
import type { Asker } from '../ground/ownership.ts'
import { NO_RULES, rulesOf, wantsOrder } from './advance-bot.ts'
import { nextDecisionAfter } from './bot-reads.ts'
import { requireChange } from './bot-rights.ts'
import type { BotsContext } from './bots-context.ts'
import { type PairFill, tryRebalance } from './decide-bot.ts'
import { leftBecause } from './decision-words.ts'
import type { ExchangeEntry } from './exchange-entry.ts'
import { timeframeOf } from './timeframe-of.ts'
import type { TradingStore } from './trading-store.ts'

type RebalancingDeps = Pick<BotsContext, 'db' | 'states' | 'bots' | 'rules' | 'ticker' | 'marketNow'> & {
  real: Pick<ExchangeEntry, 'orderObstacle'>
}

/** The markets of a bot's pairs now, by symbol. */
interface Looked {
  readonly nowMs: number
  /** When its first decision is made, ms. */
  readonly nextAt: number
  readonly pairs: ReadonlyMap<
    string,
    { readonly rules: Rules; readonly price: number | null; readonly atMs: number | null }
  >
}

/** What rebalancing a bot would do, and what a person would ask its pairs for. */
interface RebalancePlan extends RebalancePreview {
  readonly wishes: ReadonlyMap<string, HandTarget>
  /** Whether it was asked for already, and is not done yet. */
  readonly isAsked: boolean
}

type Planned = Pick<BotRecord, 'id' | 'status' | 'isVirtual'>
export type PlanRebalance = (bot: BotRecord) => Promise<(tx: Orm, locked: Planned) => Promise<RebalancePlan>>

/**
 * Looks at the markets of a bot, and answers what plans its rebalancing by them, under its lock. Throws `unprocessable` where
 * its policy holds no share of the equity.
 */
export function createRebalancing(deps: RebalancingDeps): {
  plan: PlanRebalance
  preview(id: string, member: Asker): Promise<RebalancePreview>
} {
  const plan: PlanRebalance = async (bot) => {
    const looked = await look(deps, bot)
    return (tx, locked) => planFor(deps, tx, locked, looked)
  }
  return {
    plan,
    async preview(id, member) {
      const bot = await deps.bots.find(id)
      requireChange(bot, member)
      const planned = await plan(bot)
      const { wishes: _, isAsked: _asked, ...shown } = await deps.db.orm.transaction((tx) => planned(tx, bot))
      return shown
    },
  }
}

async function look({ rules, ticker, marketNow }: RebalancingDeps, bot: BotRecord): Promise<Looked> {
  const plan = planOf(bot)
  if (plan.targets === undefined)
    throw new AppError('unprocessable', 'Only a bot whose policy holds a share of the equity has targets to go to.')
  const pairs = await Promise.all(
    bot.tradingPairs.map(async (symbol) => {
      const [market, price] = await Promise.all([rules(symbol), ticker(symbol)])
      const own = rulesOf(plan, timeframeOf(bot.parameters), market ?? NO_RULES)
      return [symbol, { rules: own, price: price?.last ?? null, atMs: price?.timestamp ?? null }] as const
    }),
  )
  const nowMs = (await marketNow()) ?? 0
  return { nowMs, nextAt: nextDecisionAfter(bot, undefined, nowMs), pairs: new Map(pairs) }
}

async function planFor(
  deps: RebalancingDeps,
  tx: Orm,
  bot: Planned,
  { nowMs, nextAt, pairs }: Looked,
): Promise<RebalancePlan> {
  const state = await deps.states.state(bot.id, tx)
  const targets = await deps.states.lastTargets(bot.id, tx)
  const portfolio = copyPortfolio(state?.portfolio ?? { balance: 0, equity: 0, peak: 0, haltedAt: -1, pairs: [] })
  const isAsked = portfolio.pairs.some(({ byHand, sentByHand }) => byHand !== undefined || sentByHand !== undefined)
  for (const pair of portfolio.pairs) {
    const target = targets.get(pair.symbol)
    pair.byHand = target === undefined ? undefined : { target, askedMs: nowMs }
  }
  const of = portfolio.pairs.map(({ symbol }) => pairs.get(symbol))
  const prices = of.map((market) => market?.price ?? null)
  const rules = of.map((market) => market?.rules ?? [...pairs.values()][0]!.rules)
  const { fills, skipped } = tryRebalance(rules, portfolio, prices, nowMs)
  const hasDecided = targets.size > 0 || (await deps.states.decisions(bot.id, { limit: 1, show: 'all' })).length > 0
  const left = portfolio.pairs.flatMap(({ symbol }, k) => {
    if (!hasDecided) return []
    const skip = skipped.find((each) => each.symbol === symbol)
    if (!targets.has(symbol)) return { symbol, reason: 'It has no target yet: too few candles are known.' }
    if (prices[k] === null) return { symbol, reason: 'It has no price that is new enough, so it keeps its weight.' }
    if (skip?.reason === 'below_lot_size' || skip?.reason === 'below_min_notional')
      return { symbol, reason: 'It is as near to its target as the smallest order lets it be.' }
    return skip === undefined ? [] : { symbol, reason: leftBecause(skip.reason) }
  })
  const orders = fills.map(orderOf)
  const times = [...pairs.values()].flatMap(({ atMs }) => atMs ?? [])
  return {
    orders,
    left,
    obstacle:
      (await obstacleOf(deps, tx, bot, state)) ??
      (isAsked ? 'It is being rebalanced already.' : hasDecided ? null : notDecided(nextAt)),
    pricedAt: times.length === 0 ? null : Math.min(...times),
    fees: orders.reduce((sum, { fee }) => sum + fee, 0),
    slippage: orders.reduce((sum, { slippage }) => sum + slippage, 0),
    isAsked,
    wishes: new Map(fills.map(({ symbol }) => [symbol, { target: targets.get(symbol)!, askedMs: nowMs }])),
  }
}

const notDecided = (nextAt: number): string =>
  `It has not decided yet, so its coins have no targets. It decides at ${new Date(nextAt).toISOString().slice(11, 16)} UTC.`

const orderOf = ({ symbol, kind, quantity, price, rawPrice, fee }: PairFill): RebalanceOrder => ({
  symbol,
  side: kind === 'entry' ? 'buy' : 'sell',
  quantity,
  price,
  value: quantity * price,
  fee,
  slippage: quantity * Math.abs(price - rawPrice),
})

/** Why a bot may not be rebalanced now; null where it may. */
async function obstacleOf(
  { real }: RebalancingDeps,
  tx: Orm,
  bot: Planned,
  state: Awaited<ReturnType<TradingStore['state']>>,
): Promise<string | null> {
  if (bot.status !== 'active' || state === undefined) return `It is ${bot.status}: only an active bot is rebalanced.`
  const { portfolio, closing } = state
  if (portfolio.haltedAt >= 0) return 'A limit on losses was reached, so it closes what it holds.'
  if (closing || portfolio.pairs.some(isToClose)) return 'It is closing a position. Try again once that is done.'
  if (portfolio.pairs.some((pair) => wantsOrder(pair, true)))
    return 'What it decided at the last close is being carried out. Try again in a moment.'
  return bot.isVirtual ? null : real.orderObstacle(tx, bot.id)
}
