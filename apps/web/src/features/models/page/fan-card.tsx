import type { Evaluation, ModelVerdict } from '@shapecast/contracts/evaluation'
import { predictionRanges } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { CoveragePlot } from '#charts/plots/coverage-plot.tsx'
import { isOutside, RangePlot } from '#charts/plots/range-plot.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { shareWords, skillWords } from '#entities/models/interval-words.ts'
import { FAN_TERMS } from '#entities/terms/model-terms.ts'
import { formatMoney, formatPrice } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatio } from '#kit/format/percent.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Meanings } from '#kit/ui/folded.tsx'
import { Columns, Text } from '#kit/ui/primitives.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { useArtifact } from './artifact-list.tsx'
import { HowSure } from './direction-card.tsx'
import css from './model-page.module.css'

type FanRow = Evaluation['fan'][number]

const COLUMNS: readonly Column<FanRow>[] = [
  { head: 'Candles ahead', cell: (row) => row.horizon, keep: true },
  { head: 'Inside 90%', cell: (row) => formatShareRatio(row.coverage90), figure: true, keep: true },
  { head: 'Inside 50%', cell: (row) => formatShareRatio(row.coverage50), figure: true },
]

const SKILL_COLUMNS: readonly Column<FanRow>[] = [
  COLUMNS[0]!,
  { head: 'Inside 90%', cell: (row) => shareWords(row.coverage90, row.coverage90Interval), figure: true, keep: true },
  { head: 'Over rolling volatility', cell: (row) => formatChangePct(row.skillOverEwma * 100), figure: true },
  { head: 'Over a fixed range', cell: (row) => formatChangePct(row.skillOverHistorical * 100), figure: true },
]

/** Where the next close lands: what a model knows best, and so what its page begins with. */
export function FanCard() {
  const { artifact } = useArtifact()
  const { verdict, evaluation } = artifact
  const { fan, pinballSkillOverEwma, pinballSkillOverHistorical, uncertainty } = evaluation
  const rows = { rows: fan, rowKey: ({ horizon }: FanRow) => `${formatCounted(horizon, 'candle')} ahead` }
  const coverage = (
    <CoveragePlot
      label="Share of outcomes within the range, by candles ahead"
      points={fan.map((row) => ({ ...row, interval: row.coverage90Interval }))}
    />
  )
  return (
    <Card title="Where the next close lands">
      <Columns gap={3} align="start" at={{ md: 'minmax(0, 3fr) minmax(0, 2fr)' }}>
        {artifact.active ? <RangeHistory /> : coverage}
        <div className={css.table}>
          <DataTable label="Range by candles ahead" columns={COLUMNS} {...rows} />
        </div>
      </Columns>
      <HowSure
        facts={[
          {
            label: 'Skill over rolling volatility',
            value: skillWords(pinballSkillOverEwma, uncertainty?.pinballSkillOverEwma ?? null),
          },
          { label: 'Skill over a fixed range', value: formatChangePct(pinballSkillOverHistorical * 100) },
        ]}
      >
        <Text style={{ maxWidth: 760 }}>
          {fanVerdict(fan, verdict.fan)} {SKILL[verdict.skill]}
        </Text>
        {artifact.active && <div style={{ maxWidth: 760 }}>{coverage}</div>}
        <div style={{ marginInline: -16 }}>
          <DataTable label="Scores by candles ahead" columns={SKILL_COLUMNS} {...rows} />
        </div>
      </HowSure>
      <Meanings terms={FAN_TERMS} />
    </Card>
  )
}

type FanPoint = Pick<Evaluation['fan'][number], 'horizon' | 'coverage90'>

/** Whether the range held as often as it promises, in a sentence. */
export function fanVerdict(fan: readonly FanPoint[], { code, offHorizons }: ModelVerdict['fan']): string {
  const [first] = fan
  const last = fan.at(-1)
  if (first === undefined || last === undefined) return 'The range was not judged.'
  const nearest = `The 90% range held ${formatShareRatio(first.coverage90)} of what came ${ahead(first.horizon)}`
  const held = first === last ? nearest : `${nearest} and ${formatShareRatio(last.coverage90)} ${ahead(last.horizon)}`
  if (code === 'kept_promise') return `${held}: as promised.`
  const off = code === 'too_narrow' ? 'too narrow' : code === 'too_wide' ? 'too wide' : 'not as promised'
  return `${held}: ${off} at ${offHorizons.join(', ')} ahead.`
}

const ahead = (horizon: number) => (horizon === 1 ? 'one candle ahead' : `${horizon} candles ahead`)

export const SKILL: Readonly<Record<ModelVerdict['skill'], string>> = {
  both: 'It is sharper than a rolling volatility and than a range that never changes.',
  ewma: 'It is sharper than a rolling volatility, but not than a range that never changes.',
  historical: 'It is no better than a rolling volatility, only than a range that never changes.',
  neither: 'It is no better than either simple rule.',
}

const CANDLES = 48

function RangeHistory() {
  const { version, artifact } = useArtifact()
  const { symbol, timeframe } = artifact
  const reply = useEndpointQuery(
    predictionRanges,
    { query: { symbol, timeframe, version, limit: CANDLES } },
    { refetchInterval: 60_000 },
  )
  const market = useMarketOf(symbol)
  const rows = reply.data
  if (rows === undefined) return <QueryBoundary reply={reply} of="the ranges" px={300} />
  const judged = rows.filter(({ close }) => close !== null)
  const inside = judged.filter((row) => !isOutside(row)).length
  const next = rows.at(-1)
  const price = (value: number) => formatPrice(value, market?.tickSize)
  if (next === undefined) return <Text tone="text2">Too few candles are stored to tell a range.</Text>
  return (
    <div>
      <Text style={{ marginBottom: 12 }}>
        For {formatDateTime(next.time + TIMEFRAME_MS[timeframe])} it says{' '}
        <b style={{ fontWeight: 600 }}>
          {price(next.low)} – {price(next.high)}
        </b>
        , about ±{formatMoney((next.high - next.low) / 2)} {market?.quote ?? 'USDT'}, with nine chances in ten. Of the
        last {judged.length} closes {inside} landed inside.
      </Text>
      <RangePlot
        label={`The newest closes of ${symbol} and the range of each`}
        rows={rows}
        tickSize={market?.tickSize}
      />
    </div>
  )
}
