import type { Evaluation } from '@shapecast/contracts/evaluation'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { CoveragePlot } from '#charts/plots/coverage-plot.tsx'
import { shareWords, skillWords } from '#entities/models/interval-words.ts'
import { FAN_TERMS } from '#entities/terms/model-terms.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatio } from '#kit/format/percent.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { Meanings } from '#kit/ui/meanings.tsx'
import { Text } from '#kit/ui/text.tsx'
import css from './fan-card.module.css'
import { fanVerdict, skillVerdict } from './fan-words.ts'
import { HowSure } from './how-sure.tsx'
import { RangeHistory } from './range-history.tsx'

type FanRow = Evaluation['fan'][number]

const COLUMNS: readonly Column<FanRow>[] = [
  { id: 'horizon', head: 'Candles ahead', cell: (row) => row.horizon, keep: true },
  { id: 'held', head: 'Inside 90%', cell: (row) => formatShareRatio(row.coverage90), figure: true, keep: true },
  { id: 'half', head: 'Inside 50%', cell: (row) => formatShareRatio(row.coverage50), figure: true },
]

const SKILL_COLUMNS: readonly Column<FanRow>[] = [
  { id: 'horizon', head: 'Candles ahead', cell: (row) => row.horizon, keep: true },
  {
    id: 'held',
    head: 'Inside 90%',
    cell: (row) => shareWords(row.coverage90, row.coverage90Interval),
    figure: true,
    keep: true,
  },
  {
    id: 'ewma',
    head: 'Over rolling volatility',
    cell: (row) => formatChangePct(row.skillOverEwma * 100),
    figure: true,
  },
  {
    id: 'history',
    head: 'Over a fixed range',
    cell: (row) => formatChangePct(row.skillOverHistorical * 100),
    figure: true,
  },
]

/** Where the next close lands: what a model knows best, and so what its page begins with. */
export function FanCard({ version, artifact }: { version: string; artifact: ArtifactDetail }) {
  const { verdict, evaluation } = artifact
  const { fan, pinballSkillOverEwma, pinballSkillOverHistorical, uncertainty } = evaluation
  const coverage = (
    <CoveragePlot
      label="Share of outcomes within the range, by candles ahead"
      points={fan.map((row) => ({ ...row, interval: row.coverage90Interval }))}
    />
  )
  return (
    <Card title="Where the next close lands">
      <div className={layout.plotAndWords}>
        {artifact.active ? (
          <RangeHistory version={version} symbol={artifact.symbol} timeframe={artifact.timeframe} />
        ) : (
          coverage
        )}
        <div className={css.table}>
          <DataTable
            label="Range by candles ahead"
            columns={COLUMNS}
            rows={fan}
            rowKey={(row) => row.horizon}
            rowName={(row) => `${formatCounted(row.horizon, 'candle')} ahead`}
          />
        </div>
      </div>
      <HowSure
        facts={[
          {
            label: 'Skill over rolling volatility',
            value: skillWords(pinballSkillOverEwma, uncertainty?.pinballSkillOverEwma ?? null),
          },
          {
            label: 'Skill over a fixed range',
            value: formatChangePct(pinballSkillOverHistorical * 100),
          },
        ]}
      >
        <Text style={{ maxWidth: 760 }}>
          {fanVerdict(fan, verdict.fan)} {skillVerdict(verdict.skill)}
        </Text>
        {artifact.active && <div style={{ maxWidth: 760 }}>{coverage}</div>}
        <div style={{ marginInline: -16 }}>
          <DataTable
            label="Scores by candles ahead"
            columns={SKILL_COLUMNS}
            rows={fan}
            rowKey={(row) => row.horizon}
            rowName={(row) => `${formatCounted(row.horizon, 'candle')} ahead`}
          />
        </div>
      </HowSure>
      <Meanings terms={FAN_TERMS} />
    </Card>
  )
}
