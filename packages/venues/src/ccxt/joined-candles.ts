import { type Candles, emptyCandles } from '@shapecast/engine/candles'

/** Pages of one series, oldest first, as one. */
export function joinedCandles(pages: readonly Candles[]): Candles {
  const only = pages[0]
  if (pages.length === 1 && only !== undefined) return only
  const out = emptyCandles(pages.reduce((sum, page) => sum + page.length, 0))
  let at = 0
  for (const page of pages) {
    for (const column of ['ts', 'open', 'high', 'low', 'close', 'volume'] as const) out[column].set(page[column], at)
    at += page.length
  }
  return out
}
