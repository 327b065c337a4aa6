import { formatCounted, formatFixed } from '#kit/format/number.ts'

/** `about 14 months`, `about 4.7 years`, `about 120 years`; `never` without an edge. */
export function yearWords(years: number | null): string {
  if (years === null || years > 1e6) return 'never'
  if (years < 2) return `about ${formatCounted(Math.max(1, Math.round(12 * years)), 'month')}`
  return `about ${formatFixed(years, years < 20 ? 1 : 0)} years`
}
