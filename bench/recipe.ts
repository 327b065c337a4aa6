/**
 * Trains the default recipe on windows of real candles whose hold-outs do not overlap and prints each model's figures, so
 * that what docs/models.md says can be checked on any history.
 *
 *   node bench/recipe.ts FILE.csv [windows] [timeframe] [candles between the ends of two windows]
 *
 * The file has the columns timestamp (ms), open, high, low, close, volume under a header, oldest first.
 */
import { readFileSync } from 'node:fs'
import { Timeframe } from '@shapecast/contracts/timeframes'
import { candlesFromRows, sliceCandles } from '@shapecast/engine/candles'
import type { ModelCard } from '@shapecast/ml/artifact/card'
import { trainModel } from '@shapecast/ml/train-model'

const WINDOW = 5000
const [file, windows = '1', timeframe = '1h', stride = '2000'] = process.argv.slice(2)
if (file === undefined) {
  console.error('node bench/recipe.ts FILE.csv [windows] [timeframe] [stride]')
  process.exit(2)
}
const all = candlesFromRows(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number)),
)
const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`
const rows: ModelCard['evaluation'][] = []
for (let k = 0, end = all.length; k < Number(windows) && end >= WINDOW; k++, end -= Number(stride)) {
  const started = performance.now()
  const { artifact, hash } = await trainModel({
    candles: sliceCandles(all, end - WINDOW, end),
    timeframe: Timeframe.parse(timeframe),
    settings: {},
    roundTripCostBps: 22,
    createdAtMs: 0,
    source: { venue: 'file', symbol: file.split('/').at(-1)! },
  })
  const { evaluation, networks, calibration } = artifact.card
  const { accuracy, probability, fan, trading } = evaluation
  rows.push(evaluation)
  console.log(
    `${new Date(artifact.card.ranges.holdout.from).toISOString().slice(0, 10)}  ` +
      `accuracy ${percent(accuracy.accuracy)} [${accuracy.interval.map(percent).join(', ')}] ` +
      `majority ${percent(accuracy.majorityBaseline)} reversal ${percent(accuracy.reversalBaseline)} (${accuracy.verdict}); ` +
      `log-loss skill ${percent(probability.logLossSkill)}; coverage ${percent(fan[0]!.coverage90)} … ${percent(fan.at(-1)!.coverage90)}; ` +
      `pinball skill ${percent(evaluation.pinballSkillOverEwma)} over EWMA, ${percent(evaluation.pinballSkillOverHistorical)} over history; ` +
      `gross ${trading.signal.grossPct.toFixed(1)} net ${trading.signal.netPct.toFixed(1)} hold ${trading.buyAndHold.netPct.toFixed(1)}; ` +
      `epochs ${Object.values(networks)
        .map(({ bestEpoch, history }) => `${bestEpoch}/${history.length}`)
        .join(' ')}; ` +
      `w ${calibration.weight.toFixed(2)}; ${((performance.now() - started) / 1000).toFixed(1)} s; ${hash.slice(0, 12)}`,
  )
}
const mean = (f: (e: (typeof rows)[number]) => number): number => rows.reduce((sum, e) => sum + f(e), 0) / rows.length
console.log(
  `mean of ${rows.length}: accuracy ${percent(mean((e) => e.accuracy.accuracy))}, majority ${percent(mean((e) => e.accuracy.majorityBaseline))}, ` +
    `reversal ${percent(mean((e) => e.accuracy.reversalBaseline))}, log-loss skill ${percent(mean((e) => e.probability.logLossSkill))}, ` +
    `coverage ${percent(mean((e) => e.fan[0]!.coverage90))} … ${percent(mean((e) => e.fan.at(-1)!.coverage90))}, ` +
    `pinball skill ${percent(mean((e) => e.pinballSkillOverEwma))} over EWMA, ${percent(mean((e) => e.pinballSkillOverHistorical))} over history`,
)
