/** A number as Binance writes it: eight decimals where that says all of it. */
export function decimal(value: number): string {
  const text = value.toFixed(8)
  return Number(text) === value ? text : String(value)
}

/** Whether `value` is a whole number of steps, but for the last bits of a double. */
export const isMultiple = (value: number, step: number): boolean => {
  const steps = value / step
  return Math.abs(steps - Math.round(steps)) < 1e-6
}

export const INTERVAL_MS: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '3m': 180_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '2h': 7_200_000,
  '4h': 14_400_000,
  '6h': 21_600_000,
  '8h': 28_800_000,
  '12h': 43_200_000,
  '1d': 86_400_000,
}
