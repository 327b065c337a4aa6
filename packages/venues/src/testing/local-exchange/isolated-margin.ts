/** Of the notional: a position is liquidated where what it has left of its margin is no more than this. */
export const MAINTENANCE = 0.004

export interface LocalPosition {
  /** Base, negative when short. */
  amount: number
  entry: number
  leverage: number
  isolated: boolean
  /** Quote set aside for it when it was opened: notional / leverage. */
  margin: number
}

export const flat = (): LocalPosition => ({ amount: 0, entry: 0, leverage: 20, isolated: false, margin: 0 })

/** Quote that closing at `price` would bring; negative is a loss. */
export const resultAt = ({ amount, entry }: LocalPosition, price: number): number => amount * (price - entry)

/**
 * Where margin and result together are no more than the maintenance margin: margin + amount × (price − entry) =
 * MAINTENANCE × |amount| × price, solved for the price.
 */
export function liquidationPrice({ amount, entry, margin }: LocalPosition): number {
  const side = Math.sign(amount)
  return (entry - (side * margin) / Math.abs(amount)) / (1 - side * MAINTENANCE)
}

/** Whether a range of mark prices has got to the liquidation price. */
export function isLiquidated(position: LocalPosition, { low, high }: { low: number; high: number }): boolean {
  if (position.amount === 0 || !position.isolated) return false
  const at = liquidationPrice(position)
  return position.amount > 0 ? low <= at : high >= at
}

/** Changes a position by a fill, `signed` in base. Answers the result that it has realised, quote. */
export function fillPosition(position: LocalPosition, signed: number, price: number, lot: number): number {
  const held = Math.abs(position.amount)
  const closing = Math.sign(signed) === -Math.sign(position.amount) ? Math.min(Math.abs(signed), held) : 0
  const realised = closing * Math.sign(position.amount) * (price - position.entry)
  const opening = Math.abs(signed) - closing
  const rest = held - closing
  const margin = held === 0 ? 0 : (position.margin * rest) / held
  position.margin = margin + (opening * price) / position.leverage
  if (opening > 0) position.entry = (rest * position.entry + opening * price) / (rest + opening)
  // Quantities are whole lots: keep the sums free of the last bits of a double.
  position.amount = Math.round((position.amount + signed) / lot) * lot
  if (Math.abs(position.amount) < lot / 2) Object.assign(position, { amount: 0, entry: 0, margin: 0 })
  return realised
}
