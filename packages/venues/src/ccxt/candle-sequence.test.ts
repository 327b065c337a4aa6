import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LiveCandle } from '../live-venue.ts'
import { type CandleMessage, CandleSequence } from './candle-sequence.ts'

const MINUTE = 60_000
const candle = (minute: number, volume: number): LiveCandle => ({
  ts: minute * MINUTE,
  open: 10,
  high: 12,
  low: 9,
  close: 11,
  volume,
})
const message = (minute: number, volume: number, final: boolean | null, eventMs = volume): CandleMessage => ({
  candle: candle(minute, volume),
  final,
  eventMs,
})

describe('the messages of a series', () => {
  it('tell of a forming candle, of its close, and of nothing twice', () => {
    const series = new CandleSequence()
    expect(series.take(message(1, 1, false)).tell).toEqual({ candle: candle(1, 1), closed: false })
    expect(series.take(message(1, 1, false)).tell).toBeNull()
    expect(series.take(message(1, 2, true)).tell).toEqual({ candle: candle(1, 2), closed: true })
    expect(series.take(message(1, 2, true)).tell).toBeNull()
    expect(series.take(message(1, 1, false)).tell).toBeNull()
  })

  it('are left out once overtaken, except a closing one', () => {
    const series = new CandleSequence()
    series.take(message(1, 5, false))
    expect(series.take(message(1, 4, false)).tell).toBeNull()
    expect(series.take(message(2, 7, false))).toEqual({
      tell: { candle: candle(2, 7), closed: false },
      unconfirmedMs: MINUTE,
    })
    expect(series.take(message(1, 6, true)).tell).toEqual({ candle: candle(1, 6), closed: true })
  })

  it('revise a closed candle only where they were sent later', () => {
    const series = new CandleSequence()
    series.take(message(1, 6, true, 60))
    expect(series.take(message(1, 5, true, 59)).tell).toBeNull()
    expect(series.take(message(1, 5, true, 61)).tell).toEqual({ candle: candle(1, 5), closed: true })
  })

  it('ask for a candle that nobody closed, once, and take what the history says', () => {
    const series = new CandleSequence()
    series.take(message(1, 1, null))
    expect(series.take(message(2, 2, null)).unconfirmedMs).toBe(MINUTE)
    expect(series.take(message(2, 3, null)).unconfirmedMs).toBeNull()
    expect(series.confirm(candle(1, 9), 3)).toBe(true)
    expect(series.confirm(candle(1, 9), 4)).toBe(false)
  })

  it('revise what the history said where they were sent after it was asked', () => {
    const series = new CandleSequence()
    series.confirm(candle(1, 9), 100)
    expect(series.take(message(1, 8, true, 100)).tell).toBeNull()
    expect(series.take(message(1, 7, true, 101)).tell).toEqual({ candle: candle(1, 7), closed: true })
  })

  it('about a candle that is forgotten have the history asked: they may be a revision or old', () => {
    const series = new CandleSequence()
    for (let minute = 1; minute <= 17; minute++) series.take(message(minute, 1, true, minute))
    expect(series.take(message(1, 5, true, 18))).toEqual({ tell: null, unconfirmedMs: MINUTE })
    expect(series.confirm(candle(1, 5), 19)).toBe(true)
    expect(series.take(message(2, 5, true, 20))).toEqual({
      tell: { candle: candle(2, 5), closed: true },
      unconfirmedMs: null,
    })
  })

  it('after a lost connection begin again: what was missed is for the reader', () => {
    const series = new CandleSequence()
    series.take(message(1, 1, false))
    series.lost()
    expect(series.take(message(5, 9, false)).unconfirmedMs).toBeNull()
  })

  it('in any order and number leave every closed candle with its last values', () => {
    const sent = Array.from({ length: 12 }, (_, minute) =>
      [1, 2, 3].map((step) => message(minute, step, step === 3, minute * 10 + step)),
    ).flat()
    const shuffled = fc.shuffledSubarray([...sent, ...sent], { minLength: sent.length * 2 })
    fc.assert(
      fc.property(shuffled, (messages) => {
        const series = new CandleSequence()
        const closed = new Map<number, number>()
        for (const m of messages) {
          const { tell } = series.take(m)
          if (tell?.closed === true) {
            expect(closed.has(tell.candle.ts)).toBe(false)
            closed.set(tell.candle.ts, tell.candle.volume)
          } else if (tell !== null) expect(closed.has(tell.candle.ts)).toBe(false)
        }
        expect(closed.size).toBe(12)
        expect([...closed.values()].every((volume) => volume === 3)).toBe(true)
      }),
    )
  })
})
