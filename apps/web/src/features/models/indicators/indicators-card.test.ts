import { ApiError } from '@shapecast/contracts/client'
import { describe, expect, it } from 'vitest'
import { failureOf } from './indicators-card.tsx'

describe('no indicators', () => {
  it('for somebody who may not ask: keys are required', () => {
    const text = 'Indicators unavailable (API keys required)'
    expect(failureOf(false, null, false)?.title).toBe(text)
    expect(failureOf(true, new ApiError(401, 'unauthorized', 'Sign in', true), false)?.title).toBe(text)
    expect(failureOf(true, new ApiError(422, 'venue_auth_failed', 'Bad key', true), false)?.title).toBe(text)
  })
  it('for any other reason: the reason', () =>
    expect(failureOf(true, new ApiError(422, 'too_few_candles', 'SOLUSDT 1h has 12 candles', true), false)).toEqual({
      title: 'Indicators unavailable',
      detail: 'SOLUSDT 1h has 12 candles',
    }))
  it('where the coins are not known: that they are not', () =>
    expect(failureOf(true, null, true)).toEqual({
      title: 'Indicators unavailable',
      detail: 'The coins could not be loaded.',
    }))
  it('is nothing to speak of where nothing failed', () => expect(failureOf(true, null, false)).toBeNull())
})
