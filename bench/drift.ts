/**
 * What looking for drift takes of the processor, in ms of CPU time of this process: the newest candles' features against
 * a known profile (each new candle), that profile (once an artifact), and the tests of the live score, whose time is also
 * given as a ratio to one plain pass over the same outcomes with a single bet.
 *
 *   node bench/drift.ts
 */
import { createRandom } from '@shapecast/engine/random'
import { driftColumns, driftingInputs, HISTORY_CANDLES } from '@shapecast/ml/drift/drift-columns'
import { featureDrift, LONGEST_STRETCH } from '@shapecast/ml/drift/feature-drift'
import { type LiveOutcome, scoreDrift } from '@shapecast/ml/drift/score-drift'
import { profileTraining } from '@shapecast/ml/drift/training-profile'
import { featureNames } from '@shapecast/ml/features/feature-columns'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { taken } from './lib/cpu-time.ts'
import { median } from './lib/rounds.ts'

const ROUNDS = 15
const ALL = { fromMs: 0, toMs: Number.POSITIVE_INFINITY }
const names = driftingInputs(featureNames('1h'))
const trained = generateCandles({ candles: 5_000, seed: 1 })
const newest = generateCandles({ candles: LONGEST_STRETCH + HISTORY_CANDLES, seed: 2 })
const random = createRandom(3)
const outcomes = Array.from({ length: 10_000 }, (_, candle): LiveOutcome => {
  const pUp = 0.5 + 0.06 * random.normal()
  return {
    candle,
    ts: candle,
    pUp,
    climatology: 0.5,
    rose: random.next() < pUp,
    covered: random.next() < 0.9,
  }
})

/** One bet with a fixed stake on the same losses: what any test of them has to do at least. */
function plainPass(): number {
  let capital = 1
  for (const { pUp, climatology, rose } of outcomes) {
    const y = rose === true ? 1 : 0
    capital *= 1 + 0.5 * ((pUp - y) ** 2 - (climatology - y) ** 2)
  }
  return capital
}

const columns = driftColumns(trained, '1h', names, ALL)
const profile = profileTraining(names, columns, 450)
const bar = { brier: 0.2475, misses: 0.12 }
const parts: Record<string, () => unknown> = {
  'features of 5,000 candles of training': () => driftColumns(trained, '1h', names, ALL),
  'their profile': () => profileTraining(names, columns, 450),
  'a new candle: features of the newest 3,000, against the profile': () =>
    featureDrift(profile, driftColumns(newest, '1h', names, ALL, 450)),
  'four tests of 500 outcomes': () => scoreDrift(outcomes.slice(0, 500), 1, bar),
  'four tests of 10,000 outcomes': () => scoreDrift(outcomes, 1, bar),
  'four tests of 10,000 outcomes, 8 candles ahead': () => scoreDrift(outcomes, 8, bar),
  'plain pass over 10,000 outcomes, 100 times': () => {
    for (let i = 0; i < 100; i++) plainPass()
  },
}
const times = new Map<string, number[]>(Object.keys(parts).map((name) => [name, []]))
for (let round = 0; round < ROUNDS; round++)
  for (const [name, work] of Object.entries(parts)) {
    const { cpu } = await taken(work)
    if (round >= 3) times.get(name)!.push(cpu)
  }
for (const [name, list] of times) console.log(`${median(list).toFixed(1).padStart(8)} ms  ${name}`)
const plain = median(times.get('plain pass over 10,000 outcomes, 100 times')!) / 100
const tests = median(times.get('four tests of 10,000 outcomes')!)
console.log(`four tests of 10,000 outcomes take ${(tests / plain).toFixed(0)} plain passes`)
