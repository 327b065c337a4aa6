/**
 * How long a trained model takes to predict 5,000 candles with both networks, beside the networks alone on ready windows
 * and the features alone. The weights do not matter for the speed, so one epoch of training is enough.
 *
 *   node bench/prediction.ts [candles]
 */
import { buildFeatureTable, hasWindow } from '@shapecast/ml/features/feature-table'
import { standardise } from '@shapecast/ml/features/standardise'
import { generateCandles } from '@shapecast/ml/generated-candles'
import { loadPredictor } from '@shapecast/ml/predict'
import { openNetwork, runNetwork } from '@shapecast/ml/runtime/run-network'
import { trainModel } from '@shapecast/ml/train-model'

const ROUNDS = 7
const count = Number(process.argv[2] ?? 5000)
const candles = generateCandles({ candles: count, seed: 1 })
const { artifact } = await trainModel({
  candles: generateCandles({ candles: 5000, seed: 1 }),
  timeframe: '1h',
  settings: { epochs: 1 },
  roundTripCostBps: 22,
  createdAtMs: 0,
  source: { venue: 'bench', symbol: 'GENERATED' },
})
const predictor = await loadPredictor(artifact)
const networks = [
  await openNetwork(artifact.files['lstm.onnx']!),
  await openNetwork(artifact.files['transformer.onnx']!),
]

const times = { whole: [] as number[], features: [] as number[], networks: [] as number[] }
const clock = async (into: number[], work: () => Promise<unknown> | unknown): Promise<void> => {
  const start = performance.now()
  await work()
  into.push(performance.now() - start)
}
const table = buildFeatureTable(candles, '1h')
const matrix = standardise(table.features, artifact.card.features)
const lookback = artifact.card.settings.lookback
const rows = Int32Array.from({ length: count }, (_, i) => i).filter((i) => hasWindow(table, i, lookback))
for (let round = 0; round < ROUNDS; round++) {
  await clock(times.whole, () => predictor.predict(candles))
  await clock(times.features, () => standardise(buildFeatureTable(candles, '1h').features, artifact.card.features))
  await clock(times.networks, () =>
    Promise.all(networks.map((network) => runNetwork(network, matrix, table.features.length, lookback, rows))),
  )
}
const median = (x: number[]): number => [...x].sort((a, b) => a - b)[Math.floor(x.length / 2)]!
const [whole, features, bare] = [median(times.whole), median(times.features), median(times.networks)]
console.log(`predicting ${count} candles, median of ${ROUNDS}: ${whole.toFixed(0)} ms`)
console.log(
  `  features ${features.toFixed(0)} ms, both networks ${bare.toFixed(0)} ms, the rest ${(whole - features - bare).toFixed(0)} ms`,
)
console.log(`  ratio to the networks alone ${(whole / bare).toFixed(2)}`)
await predictor.close()
await Promise.all(networks.map((network) => network.close()))
