import { describe, expect, it } from 'vitest'
import { chosenOf, withChosen, withoutChosen } from './use-data-choice.ts'

const read = (query: string) => chosenOf(new URLSearchParams(query))

describe('the chosen data in the address', () => {
  it('is nothing at first', () =>
    expect(read('')).toEqual({ coins: null, timeframe: null, from: undefined, to: undefined }))
  it('is read back as it was written', () => {
    const change = {
      coins: ['BTCUSDT', 'ETHUSDT'],
      timeframe: '4h',
      from: Date.UTC(2026, 9, 21),
      to: null,
    } as const
    expect(chosenOf(withChosen(new URLSearchParams(), change))).toEqual(change)
  })
  it('is taken out without what else is there', () =>
    expect(withoutChosen(new URLSearchParams('coins=&x=1&timeframe=4h&from=2024-01-01&to=')).toString()).toBe('x=1'))
  it('has at most 5 coins, each once, and only possible ones', () =>
    expect(read('coins=btcusdt,BTCUSDT,%3Cb%3E,A1,A2,A3,A4,A5').coins).toEqual(['BTCUSDT', 'A1', 'A2', 'A3', 'A4']))
  it('may have no coin at all', () => expect(read('coins=').coins).toEqual([]))
  it('takes a date that is none for an empty field', () => expect(read('from=yesterday').from).toBeNull())
})
