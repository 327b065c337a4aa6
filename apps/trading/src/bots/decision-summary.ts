import type { BotDecision } from '@shapecast/contracts/bot-decisions'

/**
 * One sentence that answers "why does it (not) trade?" over decisions, the newest first: how often the commonest
 * reason for no order came up, in its newest words. Null without decisions.
 */
export function summaryOf(decisions: readonly BotDecision[]): string | null {
  if (decisions.length === 0) return null
  const candles = (some: readonly BotDecision[]) => new Set(some.map(({ candleTs }) => candleTs)).size
  const total = candles(decisions)
  const without = decisions.filter(({ action }) => action === 'no_order' || action === 'held')
  const [reasons] = [...Map.groupBy(without, ({ rule }) => rule).values()].sort((a, b) => b.length - a.length)
  const traded = decisions.length - without.length
  if (reasons === undefined)
    return total === 1 ? 'Traded on the last candle.' : `Traded on each of the last ${total} candles.`
  const { reason } = reasons[0]!
  // Names such as OPENAI_API_KEY and BTCUSDT stay as they are.
  const rest = /^[A-Z][a-z]*[\s,.:]/.test(reason) ? reason.charAt(0).toLowerCase() + reason.slice(1) : reason
  const tradedToo = traded === 0 ? '' : ` ${traded === 1 ? 'One order' : `${traded} orders`} in that time.`
  const where = total === 1 ? 'The last candle' : `${candles(reasons)} of the last ${total} candles`
  return `${where}: ${rest}${tradedToo}`
}
