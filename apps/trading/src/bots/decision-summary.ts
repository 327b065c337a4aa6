import type { BotDecision } from '@shapecast/contracts/bot-decisions'

/**
 * One sentence that answers "why does it (not) trade?" over decisions, the newest first: how often the commonest
 * reason for no order came up, in its newest words. Null without decisions.
 */
export function summaryOf(all: readonly BotDecision[]): string | null {
  if (all.length === 0) return null
  // What decides once a day says nothing of why at the other closes.
  const daily = all.filter(({ rule }) => rule !== 'not_decision_hour')
  const isDaily = daily.length > 0 && daily.length < all.length
  const [decisions, noun] = isDaily ? [daily, 'daily decision'] : [all, 'candle']
  const candles = (some: readonly BotDecision[]) => new Set(some.map(({ candleTs }) => candleTs)).size
  const total = candles(decisions)
  const without = decisions.filter(({ action }) => action === 'no_order' || action === 'held')
  const [reasons] = [...Map.groupBy(without, ({ rule }) => rule).values()].sort((a, b) => b.length - a.length)
  const traded = decisions.length - without.length
  if (reasons === undefined)
    return total === 1 ? `Traded on the last ${noun}.` : `Traded on each of the last ${total} ${noun}s.`
  const { reason } = reasons[0]!
  // Names such as OPENAI_API_KEY and BTCUSDT stay as they are.
  const rest = /^[A-Z][a-z]*[\s,.:]/.test(reason) ? reason.charAt(0).toLowerCase() + reason.slice(1) : reason
  const tradedToo = traded === 0 ? '' : ` ${traded === 1 ? 'One order' : `${traded} orders`} in that time.`
  const where = total === 1 ? `The last ${noun}` : `${candles(reasons)} of the last ${total} ${noun}s`
  return `${where}: ${rest}${tradedToo}`
}
