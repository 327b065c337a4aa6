import { createHash } from 'node:crypto'

/**
 * The id by which an order is known to both sides, of whatever makes it the order that it is (bot, candle, purpose): the
 * same parts, the same id. 32 letters and digits, which every exchange takes.
 */
export function clientOrderId(...parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `sc${digest.slice(0, 30)}`
}
