import { InitialBalance, PositionSize } from '@shapecast/contracts/bots'
import { digitsOfStep } from '#kit/format/money.ts'

/** What a position of the chosen size is worth against the balance that stands behind it. */
export interface SizeWorth {
  /** Quote; no more than the balance carries. */
  readonly worth: number
  /** Times the balance. */
  readonly ratio: number
  /** A move against it by so many percent of the price reaches the drawdown limit, or without one takes all. */
  readonly limitMovePct: number
  /** The size that is worth the balance once, base; rounded down to the lot. */
  readonly onceSize: number
  /** The size that is opened where the balance carries no more than that, base; null where it carries the chosen one. */
  readonly cutSize: number | null
}

/** Null while a figure or the price is missing, and for what is refused anyway. A drawdown limit of 0 is none. */
export function sizeWorth(
  figures: Record<'positionSize' | 'initialBalance' | 'maxDrawdownPct' | 'leverage', number | null>,
  price: number | undefined,
  lotSize: number | undefined,
): SizeWorth | null {
  const { maxDrawdownPct, leverage } = figures
  const positionSize = PositionSize.safeParse(figures.positionSize).data
  const initialBalance = InitialBalance.safeParse(figures.initialBalance).data
  if (!positionSize || !initialBalance || !price) return null
  const carried = initialBalance * Math.max(1, leverage ?? 1)
  const isCut = positionSize * price > carried
  const worth = isCut ? carried : positionSize * price
  const ratio = worth / initialBalance
  const digits = Math.min(8, digitsOfStep(lotSize ?? 1e-6))
  const sizeOf = (quote: number) => Math.floor((quote / price) * 10 ** digits + 1e-9) / 10 ** digits
  return {
    worth,
    ratio,
    limitMovePct: Math.min(100, (maxDrawdownPct || 100) / ratio),
    onceSize: sizeOf(initialBalance),
    cutSize: isCut ? sizeOf(worth) : null,
  }
}
