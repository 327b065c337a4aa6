import type { SizeUnit } from './bot-form.ts'

export interface PositionWorth {
  /** Quote. */
  readonly notional: number
  /** Times the balance. */
  readonly timesBalance: number
  /** What the balance carries of it, quote and times the balance: a position is never opened larger. */
  readonly carried: number
  readonly timesCarried: number
  /** Percent that the price may move against it until the drawdown limit is reached. */
  readonly pctToLimit: number
}

/** What a position of this size is worth beside the balance; null where a price or a number is missing. */
export function positionWorth({
  size,
  unit,
  balance,
  price,
  leverage,
  maxDrawdownPct,
}: {
  size: number | null
  unit: SizeUnit
  /** Quote. */
  balance: number | null
  /** Quote per base. */
  price: number | null
  /** 1 on spot. */
  leverage: number | null
  maxDrawdownPct: number | null
}): PositionWorth | null {
  if (size === null || balance === null || !(balance > 0) || !(size > 0)) return null
  if (leverage === null || !(leverage > 0)) return null
  const notional = notionalOf(unit, size, balance * leverage, price)
  if (notional === null) return null
  const carried = Math.min(notional, balance * leverage)
  const timesCarried = carried / balance
  return {
    notional,
    timesBalance: notional / balance,
    carried,
    timesCarried,
    pctToLimit: (maxDrawdownPct || 0) / timesCarried,
  }
}

/** Quote; null where it needs a price that is not known, or follows the market's volatility. */
function notionalOf(unit: SizeUnit, size: number, most: number, price: number | null): number | null {
  switch (unit) {
    case 'base':
      return price === null ? null : size * price
    case 'quote':
      return size
    case 'percent':
      // A share of the balance is a margin.
      return (most * size) / 100
    case 'volatility':
      return null
    default:
      return unit satisfies never
  }
}
