import type { GeneratedMarket } from '@shapecast/ml/testing/generated-candles'
import { judgePlanted, type PlantedResult, shareOfBest } from '@shapecast/ml/testing/planted-market'

const CANDLES = 2200
const SEEDS = 20
/** The recipe's networks, with an end that a plain market needs not wait for. */
const SETTINGS = { epochs: 8 }

type Kind = 'walk' | 'momentum' | 'clusters'
const MARKETS: Readonly<Record<Kind, { seeds: number; market(seed: number): GeneratedMarket }>> = {
  walk: { seeds: SEEDS, market: (seed) => ({ candles: CANDLES, seed: 1000 + seed, clusters: 0 }) },
  momentum: { seeds: SEEDS / 2, market: (seed) => ({ candles: CANDLES, seed: 2000 + seed, momentum: 0.3 }) },
  clusters: { seeds: SEEDS / 4, market: (seed) => ({ candles: CANDLES, seed: 3000 + seed, clusters: 0.2 }) },
}

/** Models with the recipe's networks on every generated market, one after another. */
export async function judgeMarkets(log: (text: string) => void): Promise<Record<Kind, PlantedResult[]>> {
  const results: Record<Kind, PlantedResult[]> = { walk: [], momentum: [], clusters: [] }
  for (const kind of Object.keys(MARKETS) as Kind[])
    for (let seed = 1; seed <= MARKETS[kind].seeds; seed++) {
      const result = await judgePlanted(MARKETS[kind].market(seed), SETTINGS)
      results[kind].push(result)
      log(`${kind} ${seed}: ${(100 * result.accuracy).toFixed(1)} % (best ${(100 * result.best).toFixed(1)} %)`)
    }
  return results
}

const percent = (ratio: number, digits = 1): string => `${(100 * ratio).toFixed(digits).replace('-', '−')} %`
const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length

/** Markdown: what must be found and was, and what must not be found and was not. */
export function plantedReport({ walk, momentum, clusters }: Record<Kind, PlantedResult[]>): string {
  const inside = walk.filter(({ interval: [low, high] }) => low <= 0.5 && high >= 0.5).length
  const better = (of: PlantedResult[]) => of.filter(({ test }) => test.statistic < 0 && test.pValue < 0.05).length
  const skills = walk.map(({ skillOverConstant }) => skillOverConstant)
  const skill = mean(skills)
  const error = Math.sqrt(mean(skills.map((s) => (s - skill) ** 2)) / (skills.length - 1))
  const shares = momentum.map(shareOfBest)
  const passed = (yes: boolean): string => (yes ? 'yes' : '**no**')
  const rows = [
    [
      'random walk',
      `${walk.length}`,
      '½ inside the interval of its accuracy in at least 18 of 20',
      `in ${inside}; mean accuracy ${percent(mean(walk.map((r) => r.accuracy)))}`,
      passed(inside >= 0.9 * walk.length),
    ],
    [
      'random walk',
      `${walk.length}`,
      'pinball skill over a constant fan not above the noise',
      `${percent(skill, 2)} ± ${percent(1.96 * error, 2)}; significantly better in ${better(walk)}`,
      passed(skill - 1.96 * error <= 0 && better(walk) <= 2),
    ],
    [
      'momentum 0.3',
      `${momentum.length}`,
      'three quarters of the way from ½ to the best possible rule',
      `${percent(mean(momentum.map((r) => r.accuracy)))} against ${percent(mean(momentum.map((r) => r.best)))}: ${percent(
        (mean(momentum.map((r) => r.accuracy)) - 0.5) / (mean(momentum.map((r) => r.best)) - 0.5),
        0,
      )} of the way; the least of one seed ${percent(Math.min(...shares), 0)}`,
      passed(mean(momentum.map((r) => r.accuracy)) - 0.5 >= 0.75 * (mean(momentum.map((r) => r.best)) - 0.5)),
    ],
    [
      'volatility clusters',
      `${clusters.length}`,
      'the fan significantly better than a constant one',
      `skill ${percent(mean(clusters.map((r) => r.skillOverConstant)))}; significant in ${better(clusters)}`,
      passed(better(clusters) === clusters.length),
    ],
  ]
  const head = ['market', 'seeds', 'must hold', 'found', 'holds']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
