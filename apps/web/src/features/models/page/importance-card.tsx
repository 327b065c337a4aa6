import {
  type FeatureImportance,
  type ImportanceRun,
  importance,
  type LossIncrease,
  requestImportance,
} from '@shapecast/contracts/importance'
import { useState } from 'react'
import { type BarRow, BarRows, barAxis } from '#charts/plots/bar-rows.tsx'
import { formatCounted, formatFixed, formatSigned } from '#kit/format/number.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { Column, Note, Text } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { isUnderWay, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { CancelJob } from '#wire/ui/job-buttons.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { Part } from './direction-card.tsx'

const POLL_MS = 2_000
const FIRST = 8

/** What a model looks at: how much worse it forecasts its hold-out with an input shuffled, by group and one by one. */
export function ImportanceCard({ artifactId }: { artifactId: string }) {
  const input = { params: { id: artifactId } }
  const reply = useEndpointQuery(importance, input, {
    staleTime: 0,
    refetchInterval: ({ state }) => isUnderWay(state.data) && POLL_MS,
  })
  const request = useEndpointMutation(requestImportance)
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
            {...busyButton(isBusy, () => request.mutate(input))}
          >
            {isBusy ? 'Measuring…' : 'Measure'}
          </Button>
        </>
      }
    >
      <QueryBoundary reply={reply} of="it" inset />
      {request.isError && !isBusy && (
        <div style={{ padding: '0 16px 16px' }}>
          <FailureBanner error={request.error} text="It could not be asked for." />
        </div>
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
          choices={{ fan: 'Fan', direction: 'Direction' }}
        />
      }
    >
      <Column gap={2.5}>
        <Text size="small" tone="text2" style={{ maxWidth: 760 }}>
          {measureWords(importance, loss)}
        </Text>
        <Part title="Groups, shuffled together">
          <BarRows label={`What groups of inputs mean for the ${loss}`} rows={groups} {...plot} hasTicks={false} />
        </Part>
        <Part title="One by one">
          <BarRows label={`What single inputs mean for the ${loss}`} rows={shown} {...plot} />
          {isLong && (
            <Button
              variant="text"
              size="small"
              aria-expanded={areAllShown}
              onClick={() => setAreAllShown(!areAllShown)}
              style={{ marginTop: 4, marginLeft: -8 }}
            >
              {areAllShown ? `Show the first ${FIRST}` : `Show all ${all.length}`}
            </Button>
          )}
        </Part>
        <Note as="p" style={{ maxWidth: 760 }}>
          The line over a bar is its 95% interval. Where it holds 0 the bar is grey: the input cannot be told from one
          without influence. {importance.caveat}
        </Note>
      </Column>
    </Card>
  )
}

/** Which loss is looked at: that of the fan or that of the direction. */
export type Loss = 'fan' | 'direction'

const DIGITS: Readonly<Record<Loss, number>> = { fan: 2, direction: 4 }
/** Beside a bar, and in its table. */
const NOTES = {
  plain: ['', 'matters'],
  quiet: ['may be none', 'indistinguishable from none'],
  against: ['better without it', 'it would have been better without it here'],
} as const

const lossOf = (item: { pinballBps: LossIncrease; logLoss: LossIncrease }, loss: Loss): LossIncrease =>
  loss === 'fan' ? item.pinballBps : item.logLoss

/** Whether the interval lies above 0, holds it, or lies below. */
export const toneOf = ({ interval: [low, high] }: LossIncrease): BarRow['tone'] =>
  low > 0 ? 'plain' : high < 0 ? 'against' : 'quiet'

export const HEADS = ['Input', 'Growth of the loss', '95% interval', 'Verdict'] as const

/** A growth as the card has it: `+2.79 bps`, `+0.0240`. */
export const formatGrowth = (value: number, loss: Loss): string =>
  `${formatSigned(value, DIGITS[loss])}${loss === 'fan' ? ' bps' : ''}`

/** Bars of groups or inputs, the most important for this loss first. */
export const barRows = (
  items: readonly Pick<FeatureImportance['features'][number], 'name' | 'label' | 'pinballBps' | 'logLoss'>[],
  loss: Loss,
): BarRow[] =>
  items
    .map((item) => ({ item, grown: lossOf(item, loss) }))
    .sort((a, b) => b.grown.mean - a.grown.mean)
    .map(({ item: { name: key, label }, grown: { mean: value, interval } }) => {
      const tone = toneOf({ mean: value, interval })
      const text = formatGrowth(value, loss)
      const [note, spoken] = NOTES[tone]
      const ends = interval.map((end) => formatSigned(end, DIGITS[loss])).join(' to ')
      return { key, label, value, interval, text, note, tone, cells: [label, text, ends, spoken] }
    })

/** What the bars measure, in a sentence. */
export const measureWords = ({ baseline, horizon }: FeatureImportance, loss: Loss): string =>
  loss === 'fan'
    ? `How much worse its range gets without an input: the growth of its pinball loss (${formatFixed(baseline.pinballBps, 2)} bps) when that input is shuffled among the unseen candles.`
    : `How much worse its direction ${formatCounted(horizon, 'candle')} ahead gets without an input: the growth of its log loss (${formatFixed(baseline.logLoss, 4)}) when that input is shuffled among the unseen candles.`

/** Why there is nothing to show of what a model looks at. */
export function whyNothing(run: Pick<ImportanceRun, 'status' | 'error'> | null): string {
  if (isUnderWay(run)) return 'It is being measured. That takes half a minute or so.'
  return (
    run?.error ??
    'Not measured yet. Measure takes one input away after the other and sees how much worse the forecasts get.'
  )
}
