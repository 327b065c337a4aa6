import { formatFixed, formatSigned, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatio } from '#kit/format/percent.ts'

type Ends = readonly [number, number]

/** `−0.9 to +3.1`: the two ends of an interval, with their signs. */
export const spanWords = ([low, high]: Ends): string => `${formatSigned(low, 1)} to ${formatSigned(high, 1)}`

/** `+1.08% (−0.9 to +3.1)`: a change in percent with its 95 % interval. */
export const pctWords = (pct: number, interval: Ends | null): string =>
  interval === null ? formatChangePct(pct) : `${formatChangePct(pct)} (${spanWords(interval)})`

/** `+1.08% (−0.9 to +3.1)`: a skill with its 95 % interval, ratios. */
export const skillWords = (skill: number | null, interval: Ends | null): string =>
  skill === null ? UNKNOWN : pctWords(skill * 100, interval === null ? null : [interval[0] * 100, interval[1] * 100])

/** `56.6% (50.6–62.6)`: a share with its 95 % interval, ratios. */
export function shareWords(share: number | null, interval: Ends | null): string {
  if (share === null || interval === null) return formatShareRatio(share)
  return `${formatShareRatio(share)} (${formatFixed(interval[0] * 100, 1)}–${formatFixed(interval[1] * 100, 1)})`
}
