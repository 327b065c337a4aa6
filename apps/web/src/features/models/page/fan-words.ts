import type { Evaluation } from '@shapecast/contracts/evaluation'
import { formatShareRatio } from '#kit/format/percent.ts'

const PROMISED = 0.9
/** What one artifact's coverage may be off by, as ratios: 3 points one candle ahead, 6 points eight ahead. */
const NEAR = { horizon: 1, ratio: 0.03 } as const
const FAR = { horizon: 8, ratio: 0.06 } as const

/** How far the coverage of the 90 % range may lie from 90 % at a horizon, ratio: a straight line between 1 and 8. */
export function coverageTolerance(horizon: number): number {
  const way = (Math.min(FAR.horizon, Math.max(NEAR.horizon, horizon)) - NEAR.horizon) / (FAR.horizon - NEAR.horizon)
  return NEAR.ratio + way * (FAR.ratio - NEAR.ratio)
}

type FanPoint = Pick<Evaluation['fan'][number], 'horizon' | 'coverage90'>

/** Whether the range held as often as it promises, in a sentence. */
export function fanVerdict(fan: readonly FanPoint[]): string {
  const [first] = fan
  const last = fan.at(-1)
  if (first === undefined || last === undefined) return 'The range was not judged.'
  const held =
    first === last
      ? `The 90% range held ${formatShareRatio(first.coverage90)} of what came ${ahead(first.horizon)}`
      : `The 90% range held ${formatShareRatio(first.coverage90)} of what came ${ahead(first.horizon)} and ${formatShareRatio(last.coverage90)} ${ahead(last.horizon)}`
  const off = fan.filter(({ horizon, coverage90 }) => Math.abs(coverage90 - PROMISED) > coverageTolerance(horizon))
  if (off.length === 0) return `${held}: as promised.`
  const narrow = off.some(({ coverage90 }) => coverage90 < PROMISED)
  const wide = off.some(({ coverage90 }) => coverage90 > PROMISED)
  return `${held}: ${narrow && wide ? 'not as promised' : narrow ? 'too narrow' : 'too wide'} at ${off.map(({ horizon }) => horizon).join(', ')} ahead.`
}

const ahead = (horizon: number) => (horizon === 1 ? 'one candle ahead' : `${horizon} candles ahead`)

/**
 * What the pinball skills over a rolling volatility and over a range that never changes say, in a sentence. Skills are
 * shares of loss saved.
 */
export function skillVerdict(overEwma: number, overHistorical: number): string {
  if (overEwma > 0)
    return overHistorical > 0
      ? 'It is sharper than a rolling volatility and than a range that never changes.'
      : 'It is sharper than a rolling volatility, but not than a range that never changes.'
  return overHistorical > 0
    ? 'It is no better than a rolling volatility, only than a range that never changes.'
    : 'It is no better than either simple rule.'
}
