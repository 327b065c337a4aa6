import { describe, expect, it } from 'vitest'
import { createLendingCache } from './lending-cache.ts'

const opened = () => {
  const log: string[] = []
  const open = (key: string) => async () => {
    log.push(`open ${key}`)
    return { key, close: async () => void log.push(`close ${key}`) }
  }
  return { log, open }
}
const nothing = async () => {}

describe('lending what is open', () => {
  it('opens a key once, also for two who borrow it at the same time', async () => {
    const { log, open } = opened()
    const cache = createLendingCache<{ key: string; close(): Promise<void> }>(2)
    const keys = await Promise.all([1, 2].map(() => cache.lend('a', open('a'), async (value) => value.key)))
    expect(keys).toEqual(['a', 'a'])
    await cache.lend('a', open('a'), nothing)
    expect(log).toEqual(['open a'])
  })

  it('closes the one that was used longest ago when a third comes into two places', async () => {
    const { log, open } = opened()
    const cache = createLendingCache(2)
    for (const key of ['a', 'b', 'a', 'c']) await cache.lend(key, open(key), nothing)
    expect(log).toEqual(['open a', 'open b', 'open c', 'close b'])
  })

  it('never closes what is lent: it is closed when given back', async () => {
    const { log, open } = opened()
    const cache = createLendingCache(1)
    await cache.lend('a', open('a'), async () => {
      await cache.lend('b', open('b'), nothing)
      expect(log).toEqual(['open a', 'open b'])
    })
    expect(log).toEqual(['open a', 'open b', 'close a'])
    await cache.close()
    expect(log.at(-1)).toBe('close b')
  })

  it('lends nothing that is about to be closed: all fall out before the first is closed', async () => {
    const { log, open } = opened()
    const slow = Promise.withResolvers<void>()
    const cache = createLendingCache<{ close(): Promise<void> }>(2)
    await cache.lend('a', async () => ({ close: () => slow.promise }), nothing)
    await cache.lend('b', open('b'), nothing)
    const closing = cache.close()
    await cache.lend('b', open('b again'), nothing)
    slow.resolve()
    await closing
    // What came meanwhile is kept, and closed like others.
    await cache.lend('b', open('b'), nothing)
    expect(log).toEqual(['open b', 'open b again', 'close b'])
    await cache.close()
    expect(log.at(-1)).toBe('close b again')
  })

  it('tries again after an opening that failed', async () => {
    const { log, open } = opened()
    const cache = createLendingCache(1)
    const broken = () => Promise.reject(new Error('torn'))
    await expect(cache.lend('a', broken, nothing)).rejects.toThrow('torn')
    await cache.lend('a', open('a'), nothing)
    expect(log).toEqual(['open a'])
  })
})
