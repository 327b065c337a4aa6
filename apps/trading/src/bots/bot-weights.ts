import type { BotWeight, BotWeights } from '@shapecast/contracts/bot-weights'
import { AppError } from '@shapecast/contracts/errors'
import { heldPairs, holdsShare, POLICY_BANDS } from '@shapecast/contracts/policies'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { pairRisk } from '@shapecast/engine/policies/pair-risk'
import { monthStart, mostTraded } from '@shapecast/engine/policies/universe'
import type { Viewer } from '../ground/ownership.ts'
import type { BotsContext } from './bots-context.ts'
import type { BotEquity } from './equity.ts'
import { timeframeOf } from './timeframe-of.ts'

/** Fifteen half-lives of 30 days. */
const LOOKED_BACK_MS = 450 * 86_400_000
/** A pair that lacks as many of the newest candles is silent. */
const QUIET_CANDLES = 3

export type WeightsContext = Pick<BotsContext, 'states' | 'read' | 'candles' | 'marketNow'> & {
  equity: Pick<BotEquity, 'one'>
}

const known = (value: number, factor = 1): number | null => (Number.isNaN(value) ? null : factor * value)

/** What a bot whose policy holds a share of the equity holds, beside what it wants. Throws `unprocessable` for another. */
export async function readWeights(
  { states, equity, read, candles, marketNow }: WeightsContext,
  id: string,
  viewer: Viewer,
): Promise<BotWeights> {
  const bot = await read(id, viewer)
  const policy = bot.parameters?.policy ?? 'signal'
  if (!holdsShare(policy))
    throw new AppError('unprocessable', 'Only a bot whose policy holds a share of the equity has weights.')
  const { tradingPairs } = bot
  const count = heldPairs(bot)
  const timeframe = timeframeOf(bot.parameters)
  const step = TIMEFRAME_MS[timeframe]
  const toMs = ((await marketNow()) ?? 0) - step
  const [targets, money, series] = await Promise.all([
    states.lastTargets(id),
    equity.one(bot),
    Promise.all(tradingPairs.map((symbol) => candles(symbol, timeframe, { fromMs: toMs - LOOKED_BACK_MS, toMs }))),
  ])
  const worths = tradingPairs.map((symbol) => money.positions.find((held) => held.symbol === symbol)?.worth ?? 0)
  const weights = worths.map((worth) => (money.equity > 0 ? worth / money.equity : 0))
  const risk = pairRisk(series, weights, timeframe)
  const newest = Math.max(...series.map(({ ts }) => ts.at(-1) ?? 0))
  const pairs = tradingPairs.map((symbol, k): BotWeight => {
    const lastTs = series[k]!.ts.at(-1)
    const target = targets.get(symbol)
    const isSilent = lastTs !== undefined && lastTs <= newest - QUIET_CANDLES * step
    return {
      symbol,
      nowPct: 100 * weights[k]!,
      targetPct: target === undefined ? null : 100 * target,
      worth: worths[k]!,
      volatilityPct: known(risk.volatilities[k]!, 100),
      riskPct: known(risk.parts[k]!, 100),
      state: isSilent ? 'silent' : target === undefined ? 'no_target' : 'follows',
      lastAt: lastTs === undefined ? null : lastTs + step,
    }
  })
  return {
    pairs,
    cashPct: 100 * (1 - weights.reduce((sum, weight) => sum + weight, 0)),
    equity: money.equity,
    volatilityPct: known(risk.volatility, 100),
    universe: count === tradingPairs.length ? null : heldUniverse(tradingPairs, series, count, toMs + step),
    bandPct: (100 * POLICY_BANDS[policy]) / count,
    correlations: tradingPairs.flatMap((a, i) =>
      tradingPairs.slice(0, i).flatMap((b, j) => {
        const value = known(risk.correlations[i]![j]!)
        return value === null ? [] : { a, b, value }
      }),
    ),
  }
}

function heldUniverse(
  symbols: readonly string[],
  series: readonly Candles[],
  count: number,
  nowMs: number,
): BotWeights['universe'] {
  const candidates = symbols.map((symbol, k) => ({ symbol, candles: series[k]! }))
  const since = monthStart(nowMs)
  const held = mostTraded(candidates, count, since)
  const before = mostTraded(candidates, count, monthStart(since - 1))
  return {
    count,
    since,
    held,
    came: held.filter((symbol) => !before.includes(symbol)),
    left: before.filter((symbol) => !held.includes(symbol)),
  }
}
