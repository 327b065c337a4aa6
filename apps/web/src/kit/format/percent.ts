import { type Figure, formatFixed, formatSigned, formatUpTo, UNKNOWN, withUnit } from './number.ts'

const pctOf = (ratio: Figure): Figure => (typeof ratio === 'number' ? ratio * 100 : ratio)

/** A change in percent: `+9.53%`, `−2.85%`, `0.00%`. */
export const formatChangePct = (pct: Figure): string => withUnit(formatSigned(pct, 2), '%')

/** A share in percent (win rate): `50.0%`. */
export const formatSharePct = (pct: Figure): string => withUnit(formatFixed(pct, 1), '%')

/** A share from 0 to 1 (confidence, accuracy): 0.642 is `64.2%`. */
export const formatShareRatio = (ratio: Figure): string => formatSharePct(pctOf(ratio))

/** A share from 0 to 1 in a chip, without decimals: 0.573 is `57%`. */
export const formatShareRatioShort = (ratio: Figure): string => withUnit(formatFixed(pctOf(ratio), 0), '%')

/** A mean error as a ratio, in percent with 2 decimals: 0.0031 is `0.31%`. */
export const formatErrorRatio = (ratio: Figure): string => withUnit(formatFixed(pctOf(ratio), 2), '%')

/** A limit or a cost in percent, as entered: `10%`, `0.06%`. */
export const formatLimitPct = (pct: Figure): string => withUnit(formatUpTo(pct, 4), '%')

/** A fee rate (ratio of the notional) in percent: 0.0006 is `0.06%`. */
export const formatFeeRate = (ratio: Figure): string => formatLimitPct(pctOf(ratio))

/** `5 bps` */
export const formatBps = (bps: Figure): string => withUnit(formatUpTo(bps, 2), ' bps')

/** A 95 % interval of a share from 0 to 1: `95% CI 52.4–62.0`. */
export function formatInterval(interval: readonly [number, number] | null | undefined): string {
  if (interval === null || interval === undefined) return UNKNOWN
  return `95% CI ${formatFixed(interval[0] * 100, 1)}–${formatFixed(interval[1] * 100, 1)}`
}
