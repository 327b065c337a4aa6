/**
 * What the examination of an artifact of the recipe's size costs, in processor time, which tells more than the clock on a
 * machine that is busy: the fast audit, the full one, and the importance of the inputs, each as a multiple of the fast one.
 *
 *   node bench/examination.ts [lookback]
 */
import { auditPredictor } from '@shapecast/ml/audit/audit-artifact'
import { permutationImportance } from '@shapecast/ml/evaluate/importance'
import { generateCandles } from '@shapecast/ml/generated-candles'
import { loadPredictor } from '@shapecast/ml/predict'
import { trainModel } from '@shapecast/ml/train-model'

const ROUNDS = 3
const lookback = Number(process.argv[2] ?? 30)
const candles = generateCandles({ candles: 5000, seed: 41 })
const { artifact } = await trainModel({
  candles,
  timeframe: '1h',
  settings: { epochs: 1, lookback },
  roundTripCostBps: 22,
  createdAtMs: 0,
  source: { venue: 'bench', symbol: 'GENERATED' },
})
const predictor = await loadPredictor(artifact)

const kinds = {
  fast: () => auditPredictor(predictor, candles, { mode: 'fast' }),
  full: () => auditPredictor(predictor, candles, { mode: 'full' }),
  importance: () => permutationImportance(predictor, candles),
}
type Kind = keyof typeof kinds
const seconds: Record<Kind, number[]> = { fast: [], full: [], importance: [] }
for (let round = 0; round < ROUNDS; round++)
  for (const kind of Object.keys(kinds) as Kind[]) {
    const before = process.cpuUsage()
    await kinds[kind]()
    const { user, system } = process.cpuUsage(before)
    seconds[kind].push((user + system) / 1e6)
  }
await predictor.close()

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
console.log(`lookback ${lookback}, ${ROUNDS} rounds, processor time`)
for (const kind of Object.keys(kinds) as Kind[]) {
  const middle = median(seconds[kind])
  console.log(
    `${kind.padEnd(10)} ${middle.toFixed(2).padStart(6)} s  ${(middle / median(seconds.fast)).toFixed(1).padStart(5)} ×`,
  )
}
