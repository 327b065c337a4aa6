import type { ModelCard } from '@shapecast/ml/artifact/card'
import { type Pooled, pooledRatio } from './bootstrap.ts'
import type { StudyRow } from './window-rows.ts'

/** A window's figures as its card has them. */
export interface StudiedWindow {
  name: string
  card: ModelCard
  rows: StudyRow[]
}

const percent = (ratio: number, digits = 1): string => `${(100 * ratio).toFixed(digits).replace('-', '−')}`
const withInterval = ({ value, interval }: Pooled, digits = 1): string =>
  `${percent(value, digits)} [${interval.map((end) => percent(end, digits)).join(', ')}]`
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], body: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')

const share = (of: (row: StudyRow) => number) => (row: StudyRow) => ({ above: of(row), below: 1 })
const meanOf = (values: readonly number[]): number => {
  const known = values.filter((v) => !Number.isNaN(v))
  return known.length === 0 ? Number.NaN : known.reduce((sum, v) => sum + v, 0) / known.length
}
const skill = (rows: readonly StudyRow[], against: 'ewma' | 'historical', horizon?: number): Pooled =>
  pooledRatio(rows, (row) => {
    const of = (losses: readonly number[]) => (horizon === undefined ? meanOf(losses) : losses[horizon - 1]!)
    return { above: of(row[against]) - of(row.model), below: of(row[against]) }
  })

/** Pooled figures of one coin, or of all: %. */
export function pooledFigures(rows: readonly StudyRow[]): string[] {
  const shares = (...of: ((row: StudyRow) => number)[]): string[] =>
    of.map((figure) => withInterval(pooledRatio(rows, share(figure))))
  return [
    ...shares(
      (row) => row.right,
      (row) => row.majority,
      (row) => row.reversal,
    ),
    withInterval(
      pooledRatio(rows, (row) => ({ above: row.climatologyLoss - row.logLoss, below: row.climatologyLoss })),
      2,
    ),
    ...shares(
      (row) => row.covered[0]!,
      (row) => row.covered[3]!,
      (row) => row.covered[7]!,
    ),
    withInterval(skill(rows, 'ewma'), 2),
    withInterval(skill(rows, 'historical'), 2),
  ]
}

const HEAD = [
  'windows',
  'accuracy',
  'majority',
  'reversal',
  'log-loss skill',
  'coverage h = 1',
  'h = 4',
  'h = 8',
  'pinball skill over EWMA',
  'over history',
]

/** Markdown: pooled figures by coin and together, then every window. */
export function realReport(windows: readonly StudiedWindow[]): string {
  const coins = [...new Set(windows.map(({ name }) => name.split('-')[0]!))]
  const pooled = [...coins, 'all'].map((coin) => {
    const own = windows.filter(({ name }) => coin === 'all' || name.startsWith(coin))
    return [`${coin}, ${own.length}`, ...pooledFigures(own.flatMap(({ rows }) => rows))]
  })
  const all = windows.flatMap(({ rows }) => rows)
  const horizons = Array.from({ length: 8 }, (_, k) => [
    `${k + 1}`,
    withInterval(
      pooledRatio(
        all,
        share((row) => row.covered[k]!),
      ),
    ),
    withInterval(skill(all, 'ewma', k + 1), 2),
  ])
  const each = windows.map(({ name, card }) => {
    const { accuracy, fan, pinballSkillOverEwma } = card.evaluation
    const epochs = Object.values(card.networks).map(({ bestEpoch, history }) => `${bestEpoch}/${history.length}`)
    return [
      name,
      percent(accuracy.accuracy),
      percent(accuracy.reversalBaseline),
      percent(fan[0]!.coverage90),
      percent(fan[7]!.coverage90),
      percent(pinballSkillOverEwma, 2),
      epochs.join(', '),
    ]
  })
  return [
    '%, with 95 % intervals by the bootstrap over calendar blocks of ten days that the coins share:',
    table(HEAD, pooled),
    'By horizon, all windows:',
    table(['candles ahead', 'coverage of the 90 % fan', 'pinball skill over EWMA'], horizons),
    'Each window (named by the first day of its hold-out), %; best epoch of those trained, LSTM and Transformer:',
    table(['window', 'accuracy', 'reversal', 'coverage h = 1', 'h = 8', 'pinball skill', 'epochs'], each),
  ].join('\n\n')
}
