import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Candles, candlesFromRows, copyCandles, dailyCloses, sliceCandles } from '../candles.ts'
import { createRandom } from '../random.ts'
import { measuredCandles } from './measures.ts'
import { targetAt, targetColumn, targetPlanOf } from './targets.ts'
import { trendVotes } from './trend-votes.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const row = (ts: number, close: number) => [ts, close, close, close, close, 1]
/** Days of one candle of 4 hours that closes at 00:00; the first candle, before them, is no daily close. */
const daysOf = (closes: readonly number[]): Candles =>
  candlesFromRows([row(0, 50), ...closes.map((close, k) => row((k + 1) * DAY - 4 * HOUR, close))])
const votesOf = (closes: readonly number[]): number => trendVotes(daysOf(closes), '4h')(closes.length)

it('a daily close is that of the first candle of a day that closes at or after 00:00; the first candle is none', () => {
  const hours = candlesFromRows([23, 24, 46, 47, 48, 73, 74, 143].map((hour) => row(hour * HOUR, 1)))
  // 23 closes at 24:00, but nothing lies before it; 47 closes at 48:00; 73 is late; the day of 96 to 120 has no candle.
  expect(dailyCloses(hours, '1h')).toEqual([3, 5, 7])
})

it('nothing is known before five rules have their lookback: 60 daily closes', () => {
  const rising = Array.from({ length: 60 }, (_, k) => 100 + k)
  expect(votesOf(rising.slice(0, 59))).toBeNaN()
  expect(votesOf(rising)).toBe(1)
  expect(votesOf(rising.map((close) => 300 - close))).toBe(0)
})

it('a tie with the highest close of the lookback is an entry; leaving and entering are never on one day', () => {
  const flat = Array.from({ length: 60 }, () => 100)
  // The middle of equal closes is the close itself: a rule enters with its lookback, leaves a day later, enters again.
  // At the 60th close those over 10, 20, 30 and 60 have just entered, the one over 5 has just left.
  expect(votesOf(flat)).toBe(4 / 5)
  expect(votesOf([...flat, 100])).toBe(1 / 5)
})

it('rules leave at a close at or below their stop, the shorter ones first', () => {
  const rising = Array.from({ length: 60 }, (_, k) => 100 + k)
  // At 159 the stops are (155+159)/2 = 157, (150+159)/2 = 154.5, (140+159)/2 = 149.5, (130+159)/2 = 144.5, (100+159)/2 = 129.5.
  expect(votesOf([...rising, 157])).toBe(4 / 5)
  expect(votesOf([...rising, 157.01])).toBe(1)
  expect(votesOf([...rising, 149.5])).toBe(2 / 5)
  expect(votesOf([...rising, 129.4])).toBe(0)
})

it('a stop never falls with the middle that it follows', () => {
  const rising = Array.from({ length: 60 }, (_, k) => 100 + k)
  // Over 5 the stop rises to (170 + 164.6)/2 = 167.3; without the 170 the middle is 166.3, and 167 lies above that.
  const spike = [...rising, 170, 164.6, 168, 168, 168, 168]
  expect(votesOf(spike)).toBe(1)
  expect(votesOf([...spike, 167.4])).toBe(1)
  expect(votesOf([...spike, 167])).toBe(4 / 5)
})

/** The rules as folded day by day from the first daily close on, kept in variables. */
function folded(closes: readonly number[]): number[] {
  const rules = [5, 10, 20, 30, 60, 90, 150, 250, 360].map((lookback) => ({ lookback, long: false, stop: 0 }))
  return closes.map((close, day) => {
    const voting = rules.filter(({ lookback }) => day + 1 >= lookback)
    for (const rule of voting) {
      const last = closes.slice(day + 1 - rule.lookback, day + 1)
      const middle = (Math.max(...last) + Math.min(...last)) / 2
      if (rule.long && close <= rule.stop) rule.long = false
      else if (rule.long) rule.stop = Math.max(rule.stop, middle)
      else if (close >= Math.max(...last)) Object.assign(rule, { long: true, stop: middle })
    }
    return voting.length < 5 ? Number.NaN : voting.filter(({ long }) => long).length / voting.length
  })
}

const walks = fc.record({ seed: fc.integer({ min: 1, max: 1e6 }), days: fc.integer({ min: 60, max: 720 }) })
const walkOf = ({ seed, days }: { seed: number; days: number }): number[] => {
  const random = createRandom(seed)
  let close = 100
  return Array.from({ length: days }, () => {
    // Whole steps, so that ties happen.
    close = Math.max(50, close + random.below(5) - 2)
    return close
  })
}

it('worked out again at a close it is what the rules come to when they are folded day by day', () => {
  fc.assert(
    fc.property(walks, (walk) => {
      const closes = walkOf(walk)
      const all = folded(closes)
      const votes = trendVotes(daysOf(closes), '4h')
      for (let day = 55; day < closes.length; day += 7) expect(votes(day + 1)).toBe(all[day])
    }),
    { numRuns: 10 },
  )
})

it('rests on the newest 720 daily closes: the same bits from any earlier beginning, and from its own window alone', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const closes = walkOf({ seed, days: 1000 })
      const votes = trendVotes(daysOf(closes), '4h')
      for (let day = 719; day < 1000; day += 40)
        expect(trendVotes(daysOf(closes.slice(day - 719, day + 1)), '4h')(720)).toBe(votes(day + 1))
    }),
    { numRuns: 10 },
  )
})

it('trend votes are the same with gaps, from the candles that a bot reads, and after every later candle has been changed', () => {
  const random = createRandom(3)
  let close = 100
  const rows: number[][] = []
  for (let hour = 0; hour < 900 * 24; hour++) {
    close *= Math.exp(0.008 * random.normal())
    // Missing hours, and a missing week.
    if (random.next() < 0.02 || (hour > 9000 && hour < 9168)) continue
    rows.push(row(hour * HOUR, close))
  }
  const all = candlesFromRows(rows)
  const plan = targetPlanOf({ policy: 'trend_ensemble', riskLevel: 'medium', pairs: 2 })!
  const column = targetColumn(plan, all, 0, '1h', [])
  const decided = [...column.keys()].filter((i) => !Number.isNaN(column[i]!))
  expect(decided.length).toBeGreaterThan(800)
  const needed = measuredCandles('1h', 'trend_ensemble')
  for (const i of [decided[3]!, decided[780]!]) {
    const window = sliceCandles(all, Math.max(0, i + 1 - needed), i + 1)
    expect(targetAt(plan, window, window.length - 1, '1h', Number.NaN)).toBe(column[i])
    const changed = copyCandles(all, 0, all.length)
    for (let later = i + 1; later < all.length; later++) changed.close[later]! *= 1 + random.next()
    expect(targetColumn(plan, changed, 0, '1h', [])[i]).toBe(column[i])
  }
})
