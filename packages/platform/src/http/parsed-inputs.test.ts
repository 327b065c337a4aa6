import { describe, expect, it, vi } from 'vitest'
import { ParsedInputs } from './parsed-inputs.ts'

describe('parsed inputs', () => {
  it('are made once for each address, and frozen to their depth', () => {
    const inputs = new ParsedInputs<{ query: { topics: string[] } }>()
    const parse = vi.fn(() => ({ query: { topics: ['a'] } }))
    const first = inputs.get('/a?topics=a', parse)
    expect(inputs.get('/a?topics=a', parse)).toBe(first)
    expect(parse).toHaveBeenCalledTimes(1)
    expect(() => first.query.topics.push('b')).toThrow(TypeError)
    inputs.get('/a?topics=b', parse)
    expect(parse).toHaveBeenCalledTimes(2)
  })

  it('keep no more than they may, no refusal and no address beyond 256 characters', () => {
    const inputs = new ParsedInputs<{ at: number }>(2)
    let at = 0
    for (const url of ['/1', '/2', '/3']) inputs.get(url, () => ({ at: ++at }))
    expect([inputs.size, inputs.get('/3', () => ({ at: 9 })).at, inputs.get('/1', () => ({ at: 9 })).at]).toEqual([
      2, 3, 9,
    ])
    const refuse = () => {
      throw new Error('no')
    }
    expect(() => inputs.get('/4', refuse)).toThrow('no')
    expect(inputs.get('/4', () => ({ at: 4 })).at).toBe(4)
    const longest = `/${'y'.repeat(255)}`
    expect([inputs.get(longest, () => ({ at: 7 })).at, inputs.get(longest, () => ({ at: 8 })).at]).toEqual([7, 7])
    const long = `/${'x'.repeat(256)}`
    expect([inputs.get(long, () => ({ at: 5 })).at, inputs.get(long, () => ({ at: 6 })).at]).toEqual([5, 6])
  })
})
