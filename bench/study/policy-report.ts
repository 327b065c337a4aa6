import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defaultDrawdown, type TargetPolicy } from '@shapecast/contracts/policies'
import { haltedYears, STUDIED_YEARS } from '@shapecast/contracts/policy-figures'
import { studyPairs } from './policy-pairs.ts'
import { policyTable, type StudiedRule, studyPolicies, studyRows } from './policy-study.ts'
import { limitReachedBy, yearStarts } from './policy-years.ts'
import { readAllCandles } from './read-file.ts'
import { dataFolder } from './windows.ts'

const HOURS = '1h'
const BTC = 'BTCUSDT-1h-2017-2024.csv'
const ETH = 'ETHUSDT-1h.csv'
const SOL = 'SOLUSDT-1h.csv'
const STRETCHES = [
  [BTC, '2022-01-01', '2024-04-21'],
  [ETH, '2022-07-01', '2024-06-25'],
  [SOL, '2022-07-01', '2024-06-25'],
] as const
const POLICIES: readonly TargetPolicy[] = ['trend_ensemble', 'trend_steady_risk', 'steady_risk', 'fixed_share']
const LIMITS = [10, 20, 30, 50]

/** Everything that docs/bots.md and the form say of policies, from the files of the study. Throws where one is missing. */
export async function policiesReport(): Promise<string> {
  const folder = dataFolder()
  const files = new Map<string, Awaited<ReturnType<typeof readAllCandles>>>()
  for (const file of [BTC, ETH, SOL]) {
    const path = join(folder, file)
    if (!existsSync(path)) throw new Error(`${path} is missing; set SHAPECAST_DATA to the folder of the candle files.`)
    files.set(file, await readAllCandles(path, HOURS))
  }
  const parts = STRETCHES.map(([file, from, to]) => {
    const study = studyPolicies(files.get(file)!, HOURS, Date.parse(from), Date.parse(to))
    return `## ${file}, ${from} to ${to}\n\n${policyTable(study)}`
  })
  const coins = new Map([
    ['BTCUSDT', files.get(BTC)!],
    ['ETHUSDT', files.get(ETH)!],
  ])
  const [from, to] = ['2022-07-01', '2024-04-21']
  const pairs: StudiedRule[] = (['hold', 'trend_ensemble'] as const).map((rule) =>
    studyPairs(coins, HOURS, Date.parse(from), Date.parse(to), rule),
  )
  parts.push(`## BTC and ETH on one balance, ${from} to ${to}\n\n${studyRows(pairs)}`)

  const head = [
    'policy, risk',
    '20 / 5 / 1 % of the years, most',
    `ended by ${LIMITS.join('/')} %`,
    'default limit',
    'ended by it',
  ]
  const rows = POLICIES.flatMap((policy) =>
    (['low', 'medium', 'high'] as const)
      .filter((risk) => policy !== 'fixed_share' || risk === 'medium')
      .map((risk) => {
        const years = yearStarts(files.get(BTC)!, HOURS, policy, risk)
        const limit = defaultDrawdown(policy, risk)
        const [a, b, c, most] = [0.2, 0.05, 0.01, 0].map((share) => limitReachedBy(years, share).toFixed(2))
        return [
          `${policy} ${risk}`,
          `${a} / ${b} / ${c}, ${most}`,
          LIMITS.map((each) => years.depths.filter((depth) => depth >= each).length).join('/'),
          `${limit}`,
          `${haltedYears(policy, risk, limit)}`,
        ]
      }),
  )
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  parts.push(`## Worst drawdown within a year of BTC, ${STUDIED_YEARS} starts, percent\n\n${table}`)
  return parts.join('\n\n')
}
