import { exchangeName } from '@shapecast/contracts/exchanges'

/** On which market a training or a run was, in words; null where that is the market that runs. */
export function elsewhere({ venue }: { readonly venue: string }, running: string | undefined): string | null {
  if (running === undefined || venue === running) return null
  if (venue === 'simulated') return 'on the simulated market'
  return venue === 'replay' ? 'on a replay' : `on ${exchangeName(venue)}`
}
