/**
 * Judging a search of edgeless trials on so many days: seconds of the reality check (999 draws), of the deflated Sharpe
 * ratio and of the probability of overfitting (12,870 choices), and the memory that is left beside the series.
 *
 *   node --expose-gc bench/selection.ts [trials] [days]
 */
import { createRandom } from '@shapecast/engine/random'
import { createDeflatedSharpe } from '@shapecast/engine/selection/deflated-sharpe'
import { createOverfitting } from '@shapecast/engine/selection/overfitting'
import { createRealityCheck, drawBlocks } from '@shapecast/engine/selection/reality-check'

const [trials = 10_000, days = 2000] = process.argv.slice(2).map(Number)

const JUDGES = {
  'reality check': () => createRealityCheck(drawBlocks(days, createRandom(1).next, 999)),
  'deflated Sharpe ratio': () => createDeflatedSharpe(days),
  'probability of overfitting': () => createOverfitting(days),
}

for (const [name, create] of Object.entries(JUDGES)) {
  const random = createRandom(2)
  const series = new Float64Array(days)
  globalThis.gc?.()
  const heldBefore = process.memoryUsage().rss
  const judge = create()
  let ms = 0
  for (let trial = 0; trial < trials; trial++) {
    for (let day = 0; day < days; day++) series[day] = random.normal()
    const startedAt = performance.now()
    judge.add(series)
    ms += performance.now() - startedAt
  }
  const startedAt = performance.now()
  const result = judge.result()
  const total = (ms + performance.now() - startedAt) / 1000
  const held = (process.memoryUsage().rss - heldBefore) / 1e6
  console.log(`${name}: ${total.toFixed(2)} s, ${held.toFixed(0)} MB`, 'p' in result ? `p ${result.p}` : '')
}
