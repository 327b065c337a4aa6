import { Box, Typography } from '@mui/material'
import type { Evaluation } from '@shapecast/contracts/evaluation'
import { CoveragePlot } from '../../../charts/plots/coverage-plot.tsx'
import { formatCounted } from '../../../shared/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio } from '../../../shared/format/percent.ts'
import { FAN_TERMS } from '../../../shared/models/terms.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { type Column, DataTable } from '../../../shared/ui/data-table.tsx'
import { Evidence, EvidenceRow } from '../../../shared/ui/evidence.tsx'
import { Meanings } from '../../../shared/ui/meanings.tsx'
import { plotAndWords } from '../../../shared/ui/page-layout.ts'
import { fanVerdict, skillVerdict } from './fan-words.ts'

type FanRow = Evaluation['fan'][number]

const COLUMNS: readonly Column<FanRow>[] = [
  { id: 'horizon', head: 'Ahead', cell: (row) => row.horizon, keep: true },
  { id: 'held', head: 'Held, 90%', cell: (row) => formatShareRatio(row.coverage90), figure: true, keep: true },
  {
    id: 'ewma',
    head: 'Skill, EWMA',
    cell: (row) => formatChangePct(row.skillOverEwma * 100),
    figure: true,
    keep: true,
  },
  {
    id: 'history',
    head: 'Skill, history',
    cell: (row) => formatChangePct(row.skillOverHistorical * 100),
    figure: true,
  },
]

/** The range of the next candles: what a model knows best, and so what its page begins with. */
export function FanCard({ evaluation }: { evaluation: Evaluation }) {
  const { fan, pinballSkillOverEwma, pinballSkillOverHistorical } = evaluation
  const near = fan[0]
  const far = fan.at(-1)
  return (
    <Card title="Range of the next candles" facts="on the hold-out of the newest 400 candles">
      <Typography sx={{ mb: 2, maxWidth: 760 }}>
        {fanVerdict(fan)} {skillVerdict(pinballSkillOverEwma, pinballSkillOverHistorical)}
      </Typography>
      <EvidenceRow>
        {near !== undefined && (
          <Evidence
            label={`Held ${formatCounted(near.horizon, 'candle')} ahead`}
            value={formatShareRatio(near.coverage90)}
          >
            of 90% promised · {formatInterval(near.coverage90Interval)}
          </Evidence>
        )}
        {far !== undefined && far !== near && (
          <Evidence
            label={`Held ${formatCounted(far.horizon, 'candle')} ahead`}
            value={formatShareRatio(far.coverage90)}
          >
            of 90% promised · {formatInterval(far.coverage90Interval)}
          </Evidence>
        )}
        <Evidence label="Pinball skill over EWMA" value={formatChangePct(pinballSkillOverEwma * 100)}>
          loss saved over a rolling volatility
        </Evidence>
        <Evidence label="Over historical quantiles" value={formatChangePct(pinballSkillOverHistorical * 100)}>
          a fan that never changes
        </Evidence>
      </EvidenceRow>
      <Box sx={{ ...plotAndWords, mt: 2.5 }}>
        <CoveragePlot
          label="Share of outcomes within the range, by candles ahead"
          points={fan.map((row) => ({ ...row, interval: row.coverage90Interval }))}
        />
        <Box sx={{ mx: -2, '& .sc-table': { color: colors.text } }}>
          <DataTable
            label="Range by candles ahead"
            columns={COLUMNS}
            rows={fan}
            rowKey={(row) => row.horizon}
            rowName={(row) => `${formatCounted(row.horizon, 'candle')} ahead`}
          />
        </Box>
      </Box>
      <Meanings terms={FAN_TERMS} />
    </Card>
  )
}
