import { formatFixed, formatSigned, UNKNOWN } from './number.ts'
import { formatChangePct, formatShareRatio } from './percent.ts'

type Ends = readonly [number, number]

/** `+1.08% (−0.9 to +3.1)`: a skill with its 95 % interval, ratios. */
export function skillWords(skill: number | null, interval: Ends | null): string {
  if (skill === null) return UNKNOWN
  const text = formatChangePct(skill * 100)
  if (interval === null) return text
  return `${text} (${formatSigned(interval[0] * 100, 1)} to ${formatSigned(interval[1] * 100, 1)})`
}

/** `56.6% (50.6–62.6)`: a share with its 95 % interval, ratios. */
export function shareWords(share: number | null, interval: Ends | null): string {
  if (share === null || interval === null) return formatShareRatio(share)
  return `${formatShareRatio(share)} (${formatFixed(interval[0] * 100, 1)}–${formatFixed(interval[1] * 100, 1)})`
}
