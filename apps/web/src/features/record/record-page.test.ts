import { expect, it } from 'vitest'
import { nextSealWords } from './record-page.tsx'

const HALF_PAST_TWO = Date.UTC(2024, 3, 21, 14, 30)

it('names the close that comes first', () => {
  const market = { market: 'live' as const, marketTime: HALF_PAST_TWO, marketSpeed: 1 }
  expect(nextSealWords(market, ['1h', '4h'])).toBe('The next one is at the candle close of 21 Apr 2024, 15:00 UTC.')
  expect(nextSealWords(market, ['4h'])).toBe('The next one is at the candle close of 21 Apr 2024, 16:00 UTC.')
})

it('says that a replay which stands still seals nothing, and what moves it', () => {
  const words = nextSealWords({ market: 'replay', marketTime: HALF_PAST_TWO, marketSpeed: 0 }, ['1h'])
  expect(words).toContain('The replay stands at 21 Apr 2024, 14:30 UTC, so no candle closes.')
  expect(words).toContain('REPLAY_SPEED')
})

it('promises no time while the clock is not known', () => {
  expect(nextSealWords(undefined, ['1h'])).toBe('One is at every candle close.')
  expect(nextSealWords({ market: 'replay', marketTime: null }, ['1h'])).toBe('One is at every candle close.')
})
