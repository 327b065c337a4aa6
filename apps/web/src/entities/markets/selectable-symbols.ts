import type { Market } from '@shapecast/contracts/market'

/** Symbols that can be chosen: quoted in USDT, not inactive, each once, the first `most` of them. */
export function selectableSymbols(markets: readonly Market[], most: number): string[] {
  const ids = markets
    .filter((market) => market.active && (market.quote === 'USDT' || market.id.endsWith('USDT')))
    .map((market) => market.id)
  return [...new Set(ids)].slice(0, most)
}
