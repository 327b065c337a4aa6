import { expect, it } from 'vitest'
import { createCache } from './cache.ts'

it('shares a value among those who ask at once, and makes one that failed again', async () => {
  const kept = createCache<number>({ max: 2 })
  let made = 0
  const make = async () => {
    made++
    if (made === 1) throw new Error('not this time')
    return made
  }
  const both = await Promise.allSettled([kept.get('a', make), kept.get('a', make)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(made).toBe(1)
  expect(await kept.get('a', make)).toBe(2)
  expect(await kept.get('a', make)).toBe(2)
})

it('lets go of the one that was used longest ago, and of one that is to be forgotten', async () => {
  const kept = createCache<string>({ max: 2 })
  for (const key of ['a', 'b', 'a', 'c']) await kept.get(key, async () => key)
  expect(['a', 'b', 'c'].map(kept.has)).toEqual([true, false, true])
  kept.forget('a')
  expect(kept.has('a')).toBe(false)
})

it('makes a value again once its time is over', async () => {
  let nowMs = 1_000
  const kept = createCache<number>({ max: 2, ttl: { ms: 100, now: () => nowMs } })
  expect(await kept.get('a', async () => 1)).toBe(1)
  nowMs += 100
  expect(await kept.get('a', async () => 2)).toBe(1)
  nowMs += 1
  expect(await kept.get('a', async () => 3)).toBe(3)
})
