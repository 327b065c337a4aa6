/**
 * What it costs in processor time to find out what an artifact of the recipe's size looks at (permutation importance over
 * its hold-out), beside the plain way, which predicts the hold-out anew from the candles for every shuffle.
 *
 *   node bench/importance.ts [lookback] [rounds]
 */

import { loadPredictor } from '@shapecast/ml/forecast/predict'
import { permutationImportance } from '@shapecast/ml/importance/importance'
import { taken } from './lib/cpu-time.ts'
import { quickModel } from './lib/quick-model.ts'
import { median } from './lib/rounds.ts'

const [lookback = 30, rounds = 3] = process.argv.slice(2).map(Number)
const PLAIN_PASSES = 10
const { candles, artifact } = await quickModel(lookback)
const predictor = await loadPredictor(artifact)

let shuffles = 0
const parts = {
  importance: async () => {
    const { features, groups, repeats } = await permutationImportance(predictor, candles)
    shuffles = repeats * (features.length + groups.filter(({ members }) => members.length > 1).length)
  },
  'predicting the hold-out, 10 times': async () => {
    for (let k = 0; k < PLAIN_PASSES; k++) await predictor.predict(candles, { from: 4599, to: 5000 })
  },
}
type Part = keyof typeof parts
const seconds = Object.fromEntries(Object.keys(parts).map((name) => [name, [] as number[]])) as Record<Part, number[]>
for (let round = 0; round < rounds; round++)
  for (const name of Object.keys(parts) as Part[]) seconds[name].push((await taken<unknown>(parts[name])).cpu / 1000)
await predictor.close()

console.log(`lookback ${lookback}, medians of ${rounds} rounds in turns, seconds of processor time`)
for (const name of Object.keys(parts) as Part[])
  console.log(`${name.padEnd(34)} ${median(seconds[name]).toFixed(2).padStart(6)}`)
const plain = (median(seconds['predicting the hold-out, 10 times']) / PLAIN_PASSES) * shuffles
const ratio = median(seconds.importance) / plain
console.log(`${shuffles} shuffles the plain way: ${plain.toFixed(1)}; importance takes ${ratio.toFixed(2)} of that`)
