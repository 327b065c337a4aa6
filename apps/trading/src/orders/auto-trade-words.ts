import type { Order } from '@shapecast/contracts/accounts'
import type { Prediction } from '@shapecast/contracts/predictions'
import { shown } from '../ledger/money.ts'

/** What a model said, to begin a sentence with. */
export const saidBy = ({ version, signal, confidence }: Prediction): string =>
  `${version} says ${signal} at ${(100 * confidence).toFixed(1)} %`

/** What speaks against a purchase by the model's own expectation, to end what was said of it with. */
export function warningOf({ edgeBps }: Prediction): string {
  if (edgeBps >= 0) return ''
  return ` By its own reckoning such a trade costs more than it earns: ${shown(Number(edgeBps.toFixed(1)))} bps after costs.`
}

/** What is to be said of the stop of a purchase, and what of it does not stand. */
function guardedBy({ statusReason }: Order, stop: Order | null): string {
  if (stop === null && statusReason === null) return ', without a stop-loss'
  if (stop?.status === 'filled') return `, which the stop-loss has sold at ${shown(stop.average ?? 0)}`
  const stands = stop?.status === 'open' ? `, with a stop-loss at ${shown(stop.stopPrice ?? 0)}` : null
  const reason = statusReason ?? (stands === null ? `The stop-loss is ${stop?.status}.` : null)
  return `${stands ?? ''}${reason === null ? '' : `. ${reason}`}`.replace(/\.$/, '')
}

/** What has become of an order, to end a sentence with. `note` follows what was sold. */
export function outcomeOf(order: Order, stop: Order | null, base: string, note: string): string {
  const { status, filled, average, amount, side } = order
  const did = side === 'buy' ? 'bought' : 'sold'
  if (status === 'sending')
    return `an order to ${side} ${shown(amount)} ${base} was sent, and it is NOT KNOWN YET whether the exchange has it: it is being looked up, do not send it again.`
  if (status === 'rejected' || status === 'not_placed') return `nothing was traded. ${order.statusReason ?? ''}`.trim()
  if (filled === 0) return `an order to ${side} ${shown(amount)} ${base} is ${status}, nothing is filled.`
  const part = filled < amount ? ` of ${shown(amount)}` : ''
  return `${did} ${shown(filled)}${part} ${base} at ${shown(average ?? 0)}${side === 'buy' ? guardedBy(order, stop) : note}.`
}
