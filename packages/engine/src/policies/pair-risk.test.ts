import { describe, expect, it } from 'vitest'
import { type Candles, candlesFromRows } from '../candles.ts'
import { createRandom } from '../random.ts'
import { correlationOf, pairRisk } from './pair-risk.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
/** Hourly closes that move by `returns`, without the hours of `missing`. */
function walk(returns: readonly number[], missing: readonly number[] = []): Candles {
  let close = 100
  return candlesFromRows(
    [0, ...returns]
      .map((r, k): [number, number, number, number, number, number] => {
        close *= Math.exp(r)
        return [START + k * HOUR, close, close, close, close, 1]
      })
      .filter((_, k) => !missing.includes(k)),
  )
}
const random = createRandom(8)
const noise = Array.from({ length: 400 }, () => 0.01 * random.normal())

describe('how two pairs move together', () => {
  it('is 1 of the same moves, −1 of the opposite, and whatever their size', () => {
    expect(correlationOf(walk(noise), walk(noise.map((r) => 3 * r)), '1h')).toBeCloseTo(1, 12)
    expect(correlationOf(walk(noise), walk(noise.map((r) => -r / 2)), '1h')).toBeCloseTo(-1, 12)
  })

  it('is not known before more than a week of moves that both have', () => {
    expect(correlationOf(walk(noise.slice(0, 168)), walk(noise), '1h')).toBeNaN()
    expect(correlationOf(walk(noise.slice(0, 169)), walk(noise), '1h')).toBeCloseTo(1, 12)
    // One hour missing takes two moves.
    expect(correlationOf(walk(noise.slice(0, 170)), walk(noise, [50]), '1h')).toBeNaN()
    expect(correlationOf(walk(noise.slice(0, 171)), walk(noise, [50]), '1h')).toBeCloseTo(1, 12)
  })

  it('begins with the mean of a week, and halves in 720 moves: by hand', () => {
    // A week in which both move by ±1 % together, then one move apart.
    const first = Array.from({ length: 168 }, (_, k) => (k % 2 === 0 ? 0.01 : -0.01))
    const decay = 0.5 ** (1 / 720)
    const apart = decay * 1e-4 - (1 - decay) * 1e-4
    const found = correlationOf(walk([...first, 0.01]), walk([...first, -0.01]), '1h')
    expect(found).toBeCloseTo(apart / 1e-4, 9)
  })
})

describe('the risk of pairs', () => {
  it('is shared by weight and volatility where they move alike: three quarters to one that moves three times as far', () => {
    const { parts, volatility, volatilities } = pairRisk([walk(noise), walk(noise.map((r) => 3 * r))], [0.5, 0.5], '1h')
    expect(parts[0]).toBeCloseTo(0.25, 9)
    expect(parts[1]).toBeCloseTo(0.75, 9)
    expect(volatility).toBeCloseTo(0.5 * (volatilities[0]! + volatilities[1]!), 9)
  })

  it('leaves out what is not held, and is not known where what is held is not', () => {
    const short = walk(noise.slice(0, 20))
    expect(pairRisk([walk(noise), short], [0.5, 0], '1h').parts).toEqual([1, 0])
    expect(pairRisk([walk(noise), short], [0.5, 0.1], '1h').parts[0]).toBeNaN()
    expect(pairRisk([walk(noise)], [0], '1h').parts[0]).toBeNaN()
  })
})
