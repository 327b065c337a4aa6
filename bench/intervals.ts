/**
 * How often the 95 % intervals of results hold the truth, by kind and number of results: in percent, the lowest and the
 * highest of mean, Sharpe ratio and log profit factor; in brackets the share of runs that had no interval, where it is above
 * 0, and nothing else where it is above a half.
 *
 *   node bench/intervals.ts [runs] [draws]
 */
import { createRandom } from '@shapecast/engine/random'
import { resultIntervals } from '@shapecast/engine/result-intervals'
import { RESULT_SAMPLES, type ResultSample } from '@shapecast/engine/testing/result-samples'

const [runs = 1000, draws = 399] = process.argv.slice(2).map(Number)
const COUNTS = [30, 48, 100, 200, 1000]

function coverage(sample: ResultSample, n: number): string {
  const covered = { mean: 0, sharpe: 0, logProfitFactor: 0 }
  const drawn = { mean: 0, sharpe: 0, logProfitFactor: 0 }
  for (let run = 0; run < runs; run++) {
    const found = resultIntervals(sample.draw(n, createRandom(run)), createRandom(runs + run).next, draws)
    for (const key of ['mean', 'sharpe', 'logProfitFactor'] as const) {
      const interval = found[key]
      if (interval === null) continue
      drawn[key]++
      if (interval[0] <= sample[key] && sample[key] <= interval[1]) covered[key]++
    }
  }
  const shares = (['mean', 'sharpe', 'logProfitFactor'] as const)
    .filter((key) => drawn[key] > 0)
    .map((key) => Math.round((100 * covered[key]) / drawn[key]))
  const none = Math.round(100 * (1 - Math.max(...Object.values(drawn)) / runs))
  const held = [...new Set([Math.min(...shares), Math.max(...shares)])].join('–')
  return `${none > 50 ? '–' : held}${none > 0 ? ` (${none})` : ''}`
}

const kinds = Object.entries(RESULT_SAMPLES)
console.log(`| n | ${kinds.map(([kind]) => kind).join(' | ')} |`)
console.log(`|---|${kinds.map(() => '---').join('|')}|`)
for (const n of COUNTS) console.log(`| ${n} | ${kinds.map(([, sample]) => coverage(sample, n)).join(' | ')} |`)
