import type { MarketKind } from '@shapecast/contracts/market'
import type { Prediction } from '@shapecast/contracts/predictions'
import { shown } from './money.ts'
import { SLIPPAGE_BPS } from './virtual-fills.ts'

/** What a model said, to begin a sentence with. */
export const saidBy = ({ version, signal, confidence }: Prediction): string =>
  `${version} says ${signal} at ${(100 * confidence).toFixed(1)} %`

/** What speaks against a purchase, to end what was said of it with: the model's own expectation of a loss. */
export function warningOf({ edgeBps }: Prediction): string {
  if (edgeBps >= 0) return ''
  return ` By its own reckoning such a trade costs more than it earns: ${shown(Number(edgeBps.toFixed(1)))} bps after costs.`
}

/** What kind of market and money an order was of, so that nobody takes it for another. */
export function noticeOf(kind: MarketKind, venue: string): string {
  const filled = `Virtual account: filled at the last price moved by ${SLIPPAGE_BPS} bps, no order was sent to an exchange.`
  switch (kind) {
    case 'simulated':
      return `Simulated market: these prices are made up. ${filled}`
    case 'replay':
      return `Replayed history: these prices are of the past. ${filled}`
    case 'live':
      return `Prices of ${venue}. ${filled}`
    default:
      return kind satisfies never
  }
}
