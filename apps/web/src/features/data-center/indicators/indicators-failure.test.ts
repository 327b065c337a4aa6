import { ApiError } from '@shapecast/contracts/client'
import { describe, expect, it } from 'vitest'
import { indicatorsFailure } from './indicators-failure.ts'

describe('no indicators', () => {
  it('for somebody who may not ask: keys are required', () => {
    const text = 'Indicators unavailable (API keys required)'
    expect(indicatorsFailure(null).title).toBe(text)
    expect(indicatorsFailure(new ApiError(401, 'unauthorized', 'Sign in', true)).title).toBe(text)
    expect(indicatorsFailure(new ApiError(422, 'venue_auth_failed', 'Bad key', true)).title).toBe(text)
  })
  it('for any other reason: the reason', () =>
    expect(indicatorsFailure(new ApiError(422, 'too_few_candles', 'SOLUSDT 1h has 12 candles', true))).toEqual({
      title: 'Indicators unavailable',
      detail: 'SOLUSDT 1h has 12 candles',
    }))
})
