import { RECOMMENDED_START } from '@shapecast/contracts/policy-figures'
import { formatFixed } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Text } from '#kit/ui/primitives.tsx'
import { useHealth } from '#wire/calls/use-health.ts'

const { figures, hold, worstYearPct, costsPctAYear, fellLess } = RECOMMENDED_START

const made = (finalEquity: number) => formatChangePct(100 * (finalEquity - 1))
const pct = (value: number) => `${formatFixed(value, 1)}%`
const points = (value: number) => formatFixed(value, 0)

/** What the recommended start did and did not do, what it costs, and what its history shows. */
export function RecommendedWords() {
  const isSimulated = useHealth().data?.market === 'simulated'
  return (
    <Text size="small" tone="text2" above={0.25}>
      BTC and ETH, July 2022 to April 2024, after costs: {made(figures.finalEquity)}, worst fall{' '}
      {pct(figures.maxDrawdownPct)}. Holding both: {made(hold.finalEquity)}, worst fall {pct(hold.maxDrawdownPct)}. Its
      worst year made {pct(worstYearPct.followed)}, that of holding {pct(worstYearPct.held)}. It costs about{' '}
      {pct(costsPctAYear)} a year, lags in rises and predicts nothing. It fell {points(fellLess.points)} points less
      (95%: {points(fellLess.interval[0])} to {points(fellLess.interval[1])}): that shows that holding less falls less,
      not that it earns more. One history, not a promise.
      {isSimulated && ' The simulated market here has no such history.'}
    </Text>
  )
}
