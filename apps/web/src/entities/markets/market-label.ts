import { exchangeName } from '@shapecast/contracts/exchanges'
import type { Health } from '@shapecast/contracts/market'

export interface MarketLabel {
  text: string
  /** The whole of it, on hover. */
  detail: string
  /** Amber: these are not an exchange's prices of this moment, or its orders are not real. */
  caution: boolean
}

/** What the prices on every screen are, in words: 'Simulated market', 'Replay', 'Binance testnet'. */
export function marketLabel({
  market,
  venue,
  testnet,
  marketSpeed,
}: Pick<Health, 'market' | 'venue' | 'testnet' | 'marketSpeed'>): MarketLabel {
  switch (market) {
    case 'simulated':
      return {
        text: 'Simulated market',
        detail: 'Prices are simulated. They follow no real market. Set MARKET to use an exchange.',
        caution: true,
      }
    case 'replay':
      return {
        text: 'Replay',
        detail: `Prices are imported history, not those of this moment.${
          marketSpeed === 0 ? ' It stands still: with REPLAY_SPEED=3600 an hour passes each second.' : ''
        }`,
        caution: true,
      }
    case 'live':
      return testnet
        ? {
            text: `${exchangeName(venue)} testnet`,
            detail: `Prices of ${exchangeName(venue)}. Orders go to its testnet, without real money.`,
            caution: true,
          }
        : {
            text: `${exchangeName(venue)} mainnet`,
            detail: `Prices of ${exchangeName(venue)}. Real orders trade real money.`,
            caution: false,
          }
    default:
      return market satisfies never
  }
}

/** On which market a training or a run was, in words; null where that is the market that runs. */
export function elsewhere({ venue }: { readonly venue: string }, running: string | undefined): string | null {
  if (running === undefined || venue === running) return null
  if (venue === 'simulated') return 'on the simulated market'
  return venue === 'replay' ? 'on a replay' : `on ${exchangeName(venue)}`
}
