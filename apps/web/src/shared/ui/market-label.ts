import type { Health } from '@shapecast/contracts/market'

export interface MarketLabel {
  text: string
  /** The whole of it, on hover. */
  detail: string
  /** Amber: these are not an exchange's prices of this moment, or its orders are not real. */
  caution: boolean
}

const nameOf = (venue: string) => venue.charAt(0).toUpperCase() + venue.slice(1)

/** What the prices on every screen are, in words: 'Simulated market', 'Replay of history', 'Binance testnet'. */
export function marketLabel({ market, venue, testnet }: Pick<Health, 'market' | 'venue' | 'testnet'>): MarketLabel {
  switch (market) {
    case 'simulated':
      return {
        text: 'Simulated market',
        detail: 'Prices are simulated. They follow no real market. Set MARKET to use an exchange.',
        caution: true,
      }
    case 'replay':
      return {
        text: 'Replay of history',
        detail: 'Prices are imported history that is played back, not those of this moment.',
        caution: true,
      }
    case 'live':
      return testnet
        ? {
            text: `${nameOf(venue)} testnet`,
            detail: `Prices of ${nameOf(venue)}. Orders go to its testnet, without real money.`,
            caution: true,
          }
        : {
            text: `${nameOf(venue)} mainnet`,
            detail: `Prices of ${nameOf(venue)}. Real orders trade real money.`,
            caution: false,
          }
    default:
      return market satisfies never
  }
}
