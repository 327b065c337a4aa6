import { describe, expect, it } from 'vitest'
import { createTokenStore } from './session-token.ts'

function storageWith(entries: Record<string, string>): Storage {
  const values = new Map(Object.entries(entries))
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as unknown as Storage
}

describe('the stored token', () => {
  it('lives under the key authToken', () => {
    const storage = storageWith({ authToken: 'abc' })
    const token = createTokenStore(() => storage)
    expect(token.read()).toBe('abc')
    token.write('def')
    expect(storage.getItem('authToken')).toBe('def')
    token.clear()
    expect([token.read(), storage.getItem('authToken')]).toEqual([null, null])
  })

  it('lives in memory where the browser refuses its storage', () => {
    const token = createTokenStore(() => {
      throw new Error('denied')
    })
    token.write('abc')
    expect(token.read()).toBe('abc')
    token.clear()
    expect(token.read()).toBeNull()
  })
})
