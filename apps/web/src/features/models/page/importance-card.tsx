import { Box, Button, Typography } from '@mui/material'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import { type ReactNode, useState } from 'react'
import { BarRows, barAxis } from '#charts/plots/bar-rows.tsx'
import { formatCounted, formatSigned } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useUser } from '#wire/session/auth-context.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { CancelJob } from '#wire/ui/cancel-job.tsx'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { barRows, HEADS, isUnderWay, type Loss, measureWords, whyNothing } from './importance-words.ts'
import { useImportance } from './use-importance.ts'

/** Inputs shown before all of them are asked for. */
const FIRST = 8

/** What a model looks at: how much worse it forecasts its hold-out with an input shuffled, by group and one by one. */
export function ImportanceCard({ artifactId }: { artifactId: string }) {
  const { reply, request } = useImportance(artifactId)
  const isSignedIn = useUser() !== null
  const { data } = reply
  if (data?.importance) return <Importance importance={data.importance} />
  const isBusy = request.isPending || isUnderWay(data)
  return (
    <Card
      title="What it looks at"
      flush
      actions={
        <>
          {isSignedIn && data && isUnderWay(data) && <CancelJob id={data.jobId} job="measuring" />}
          <Button
            size="small"
            disabled={!isSignedIn || data === undefined}
            title={isSignedIn ? undefined : 'Sign in to measure it'}
            {...busyPress(isBusy, request.run)}
          >
            {isBusy ? 'Measuring…' : 'Measure'}
          </Button>
        </>
      }
    >
      <Awaited reply={reply} title="It could not be loaded" inset />
      {request.isError && !isBusy && (
        <Box sx={{ px: 2, pb: 2 }}>
          <FailureBanner error={request.error} text="It could not be asked for." />
        </Box>
      )}
      {data !== undefined && (
        <EmptyLine>
          <span aria-live="polite">{whyNothing(data)}</span>
        </EmptyLine>
      )}
    </Card>
  )
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
