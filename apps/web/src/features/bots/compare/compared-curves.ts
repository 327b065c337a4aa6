import type { BotEquity } from '@shapecast/contracts/bot-trading'
import { drawdownPct } from '@shapecast/engine/indicators/drawdown'

type Points = BotEquity['points']

export interface ComparedCurve {
  /** Percent since the common start. */
  readonly line: readonly { readonly t: number; readonly pct: number }[]
  readonly returnPct: number
  /** Of its pairs held; null where a price is unknown. */
  readonly holdPct: number | null
  /** The deepest fall from a peak since the common start, percent. */
  readonly maxDrawdownPct: number
  /** Its own first and last close, ms. */
  readonly fromMs: number
  readonly toMs: number
}

/** A curve from `startMs` on, which is not before its first point: what it was then, and all after. */
function since(points: Points, startMs: number): Points {
  const at = points.findLastIndex(({ t }) => t <= startMs)
  return at === -1 ? [] : [{ ...points[at]!, t: startMs }, ...points.slice(at + 1)]
}

const changePct = (from: number, to: number): number => (from > 0 ? 100 * (to / from - 1) : 0)

function curveSince({ points, hold }: Pick<BotEquity, 'points' | 'hold'>, startMs: number): ComparedCurve {
  const own = since(points, startMs)
  const held = since(hold, startMs)
  const first = own[0]!.equity
  let peak = 0
  let maxDrawdownPct = 0
  for (const { equity } of own) {
    peak = Math.max(peak, equity)
    maxDrawdownPct = Math.max(maxDrawdownPct, drawdownPct(equity, peak))
  }
  return {
    line: own.map(({ t, equity }) => ({ t, pct: changePct(first, equity) })),
    returnPct: changePct(first, own.at(-1)!.equity),
    holdPct: held.length < 2 ? null : changePct(held[0]!.equity, held.at(-1)!.equity),
    maxDrawdownPct,
    fromMs: points[0]!.t,
    toMs: points.at(-1)!.t,
  }
}

/** Curves from the first close at which all of them had begun, ms; null of those without two points. */
export function comparedCurves(curves: readonly Pick<BotEquity, 'points' | 'hold'>[]): {
  startMs: number
  curves: (ComparedCurve | null)[]
} {
  const hasBegun = ({ points }: Pick<BotEquity, 'points'>) => points.length > 1
  const startMs = Math.max(...curves.filter(hasBegun).map(({ points }) => points[0]!.t))
  return { startMs, curves: curves.map((curve) => (hasBegun(curve) ? curveSince(curve, startMs) : null)) }
}
