import {
  type BotCosts,
  COST_DEFAULTS,
  FeeRate,
  type PostedOrders,
  postOnlyObstacle,
  savesByPosting,
  VENUE_FEES,
  type VenueFees,
} from '@shapecast/contracts/costs'
import type { Policy } from '@shapecast/contracts/policies'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { formatPnlUnit } from '#kit/format/money.ts'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatBps, formatFeeRate, formatLimitPct } from '#kit/format/percent.ts'

/** What stands in the fields of costs: fees of a taker and a maker in percent; an empty field is null. */
export interface CostValues {
  feePct: number | null
  makerPct: number | null
  slippageBps: number | null
  postOnly: boolean
}

const pctOf = (ratio: number): number => Number((ratio * 100).toFixed(6))
const ratioOf = (pct: number | null): number | null => (pct === null ? null : pct / 100)

export const costValuesOf = ({ feeRate, slippageBps, postOnly }: BotCosts): CostValues => ({
  feePct: pctOf(feeRate),
  makerPct: pctOf(postOnly?.makerFeeRate ?? feeRate),
  slippageBps,
  postOnly: postOnly !== undefined,
})
export const USUAL_COSTS = costValuesOf(COST_DEFAULTS)

/** A bot that may rest its orders. */
export interface Poster {
  readonly policy: Policy
  readonly timeframe: Timeframe
  readonly takeProfitPct?: number
  readonly stopLossPct?: number
}

/** Why orders do not rest; null where they may. */
export function whyNotPosted({ feePct, makerPct }: CostValues, bot: Poster): string | null {
  const obstacle = postOnlyObstacle({ takeProfitPct: 0, stopLossPct: 0, ...bot })
  if (obstacle !== null) return `${obstacle}.`
  return savesByPosting({ makerBps: 100 * (makerPct ?? 0), takerBps: 100 * (feePct ?? 0) })
    ? null
    : 'Off: a maker must pay at least 0.03 points less than a taker. Below that, what waiting misses takes the saving.'
}

/** As calls take them. */
export const costsOf = (values: CostValues, bot: Poster) => ({
  feeRate: ratioOf(values.feePct),
  slippageBps: values.slippageBps,
  ...(values.postOnly &&
    whyNotPosted(values, bot) === null && { postOnly: { makerFeeRate: ratioOf(values.makerPct) } }),
})

export function wrongCosts({ feePct, makerPct }: CostValues): { feePct?: string; makerPct?: string } {
  const isOver = (pct: number | null) => pct !== null && pct > 0 && !FeeRate.safeParse(pct / 100).success
  return {
    ...(isOver(feePct) && { feePct: 'Must be at most 10' }),
    ...(isOver(makerPct) && { makerPct: 'Must be at most 10' }),
  }
}

/** Those of a market, named with their fees of maker and taker: `Binance spot 0.1% / 0.1%`. */
export const venuesOf = (market: VenueFees['market']) =>
  VENUE_FEES.filter((venue) => venue.market === market).map(({ name, makerBps, takerBps }) => ({
    value: name,
    label: name.replace(/^\w+/, (venue) => `${venue} ${market}`),
    note: `${formatLimitPct(makerBps / 100)} / ${formatLimitPct(takerBps / 100)}`,
    makerPct: makerBps / 100,
    feePct: takerBps / 100,
  }))

/** `18 of 20 post-only orders filled at their limit. Beside taking at once that saved 3.20 USDT and lost 1.10 USDT by waiting.` */
export const postedWords = ({ orders, filled, saved, lost }: PostedOrders): string =>
  `${formatCount(filled)} of ${formatCounted(orders, 'post-only order')} filled at their limit. Beside taking at once: ${formatPnlUnit(saved, 'USDT')} saved, ${formatPnlUnit(-lost, 'USDT')} lost by waiting, ${formatPnlUnit(saved - lost, 'USDT')} in all.`

/** `0.06% + 5 bps`, with post-only orders `0.4% + 5 bps, 0.25% post-only`. */
export const costWords = ({ feeRate, slippageBps, postOnly }: BotCosts): string =>
  `${formatFeeRate(feeRate)} + ${formatBps(slippageBps)}${postOnly === undefined ? '' : `, ${formatFeeRate(postOnly.makerFeeRate)} post-only`}`
