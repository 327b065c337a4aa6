/**
 * Processor time of what a model looks at (permutation importance over its hold-out), beside the plain way: predicting the
 * hold-out anew from the candles for every shuffle, features and history and all. The weights do not matter for the
 * speed, so one epoch of training is enough.
 *
 *   node bench/importance.ts [repeats]
 */
import { permutationImportance } from '@shapecast/ml/evaluate/importance'
import { generateCandles } from '@shapecast/ml/generated-candles'
import { loadPredictor } from '@shapecast/ml/predict'
import { trainModel } from '@shapecast/ml/train-model'

const ROUNDS = 3
const PLAIN_PASSES = 10
const repeats = Number(process.argv[2] ?? 5)
const candles = generateCandles({ candles: 5000, seed: 1 })
const { artifact } = await trainModel({
  candles,
  timeframe: '1h',
  settings: { epochs: 1 },
  roundTripCostBps: 22,
  createdAtMs: 0,
  source: { venue: 'bench', symbol: 'GENERATED' },
})
const predictor = await loadPredictor(artifact)

/** Seconds of all threads: what the machine spent, however busy it was with other things. */
async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
const median = (x: number[]): number => [...x].sort((a, b) => a - b)[Math.floor(x.length / 2)]!

const taken = { shuffles: [] as number[], plain: [] as number[] }
let shuffled = 0
for (let round = 0; round < ROUNDS; round++) {
  taken.shuffles.push(
    await cpuSeconds(async () => {
      const { features, groups } = await permutationImportance(predictor, candles, { repeats })
      shuffled = repeats * (features.length + groups.filter(({ members }) => members.length > 1).length)
    }),
  )
  const passes = await cpuSeconds(async () => {
    for (let k = 0; k < PLAIN_PASSES; k++) await predictor.predict(candles, { from: 4599, to: 5000 })
  })
  taken.plain.push((passes / PLAIN_PASSES) * shuffled)
}
const [ours, plain] = [median(taken.shuffles), median(taken.plain)]
console.log(`${shuffled} shuffles of 400 candles, median of ${ROUNDS}: ${ours.toFixed(2)} s of processor time`)
console.log(`  the plain way ${plain.toFixed(2)} s (from ${PLAIN_PASSES} passes); ratio ${(ours / plain).toFixed(2)}`)
await predictor.close()
