import { withoutDust } from '@shapecast/contracts/search'

/** Values around one: from half of it to one and a half, in steps that are as round as it is. */
export function valuesAround(value: number): string {
  if (value === 0) return '0, 1, 2'
  const decimals = String(value).split('.')[1]?.length ?? 0
  const unit = 10 ** -decimals
  const by = Math.max(unit, withoutDust(Math.round(value / 4 / unit) * unit))
  const from = Math.max(unit, withoutDust(Math.round((value - 2 * by) / unit) * unit))
  return `${from} to ${withoutDust(value + 2 * by)} by ${by}`
}
