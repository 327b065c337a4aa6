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

const ROUNDS = 15
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

interface Times {
  wall: number[]
  /** Of all threads: what the machine spent, however busy it was with other things. */
  cpu: number[]
}
const times = (): Times => ({ wall: [], cpu: [] })
const taken = { whole: times(), features: times(), networks: times() }
const clock = async (into: Times, work: () => Promise<unknown> | unknown): Promise<void> => {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  into.wall.push(performance.now() - start)
  into.cpu.push((user + system) / 1000)
}
const table = buildFeatureTable(candles, '1h')
const matrix = standardise(table.features, artifact.card.features)
const lookback = artifact.card.settings.lookback
const rows = Int32Array.from({ length: count }, (_, i) => i).filter((i) => hasWindow(table, i, lookback))
for (let round = 0; round < ROUNDS; round++) {
  await clock(taken.whole, () => predictor.predict(candles))
  await clock(taken.features, () => standardise(buildFeatureTable(candles, '1h').features, artifact.card.features))
  await clock(taken.networks, () =>
    Promise.all(networks.map((network) => runNetwork(network, matrix, table.features.length, lookback, rows))),
  )
}
const median = (x: number[]): number => [...x].sort((a, b) => a - b)[Math.floor(x.length / 2)]!
const said = ({ wall, cpu }: Times): string =>
  `${median(wall).toFixed(0)} ms, fastest ${Math.min(...wall).toFixed(0)} (CPU ${median(cpu).toFixed(0)})`
console.log(`predicting ${count} candles, median of ${ROUNDS}: ${said(taken.whole)}`)
console.log(`  features alone ${said(taken.features)}, both networks alone ${said(taken.networks)}`)
console.log(
  `  ratio to the networks alone ${(median(taken.whole.cpu) / median(taken.networks.cpu)).toFixed(2)} in CPU time`,
)
await predictor.close()
await Promise.all(networks.map((network) => network.close()))
