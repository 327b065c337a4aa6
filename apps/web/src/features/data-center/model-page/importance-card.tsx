import { Box, Button, Typography } from '@mui/material'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import { type ReactNode, useState } from 'react'
import { BarRows, barAxis } from '../../../charts/plots/bar-rows.tsx'
import { formatCounted, formatSigned } from '../../../shared/format/number.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { EmptyLine } from '../../../shared/ui/empty-state.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group.tsx'
import { barRows, HEADS, type Loss, measureWords } from './importance-words.ts'

/** Inputs shown before all of them are asked for. */
const FIRST = 8

/** What a model looks at: how much worse it forecasts its hold-out with an input shuffled, by group and one by one. */
export function ImportanceCard({
  importance,
  whyNot = 'Not examined yet.',
}: {
  importance: FeatureImportance | null
  /** Said where there is nothing to show: under way, failed, never asked for. */
  whyNot?: ReactNode
}) {
  if (importance === null)
    return (
      <Card title="What it looks at" flush>
        <EmptyLine>{whyNot}</EmptyLine>
      </Card>
    )
  return <Importance importance={importance} />
}

function Importance({ importance }: { importance: FeatureImportance }) {
  const [loss, setLoss] = useState<Loss>('fan')
  const [areAllShown, setAreAllShown] = useState(false)
  const groups = barRows(importance.groups, loss)
  const all = barRows(importance.features, loss)
  const shown = areAllShown ? all : all.slice(0, FIRST)
  const isLong = all.length > FIRST
  const axis = barAxis([...groups, ...all])
  const digits = Math.max(0, ...axis.ticks.map((tick) => String(tick).split('.')[1]?.length ?? 0))
  const plot = { axis, heads: HEADS, formatTick: (tick: number) => formatSigned(tick, digits) }
  const of = loss === 'fan' ? 'the fan' : 'the direction'
  return (
    <Card
      title="What it looks at"
      facts={`${formatCounted(importance.outcomes, 'hold-out candle')} · ${formatCounted(importance.repeats, 'shuffle')}`}
      actions={
        <ToggleGroup
          label="Judged by"
          size="small"
          value={loss}
          onChange={setLoss}
          choices={[
            { value: 'fan', label: 'Fan' },
            { value: 'direction', label: 'Direction' },
          ]}
        />
      }
    >
      <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography variant="small" sx={{ color: colors.text2, maxWidth: 760 }}>
          {measureWords(importance, loss)}
        </Typography>
        <Part title="Groups, shuffled together">
          <BarRows label={`What groups of inputs mean for ${of}`} rows={groups} {...plot} hasTicks={false} />
        </Part>
        <Part title="One by one">
          <BarRows label={`What single inputs mean for ${of}`} rows={shown} {...plot} />
          {isLong && (
            <Button
              variant="text"
              size="small"
              aria-expanded={areAllShown}
              onClick={() => setAreAllShown(!areAllShown)}
              sx={{ mt: 0.5, ml: -1 }}
            >
              {areAllShown ? `Show the first ${FIRST}` : `Show all ${all.length}`}
            </Button>
          )}
        </Part>
        <Typography variant="label" component="p" sx={{ m: 0, color: colors.text3, fontWeight: 400, maxWidth: 760 }}>
          The line over a bar is its 95% interval. Where it holds 0 the bar is grey: the input cannot be told from one
          without influence. {importance.caveat}
        </Typography>
      </Box>
    </Card>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box sx={{ minWidth: 0 }}>
    <Typography variant="label" component="h3" sx={{ m: 0, mb: 1, color: colors.text2 }}>
      {title}
    </Typography>
    {children}
  </Box>
)
