import { models } from '@shapecast/contracts/ml'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { candlesNeeded } from '@shapecast/contracts/training-candles'
import { ChevronDown, Download, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { utcDayStart } from '#entities/markets/market-range.ts'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { DateField, MultiSelectField } from '#kit/ui/large-fields.tsx'
import { Column, Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { DataMessages, NoCandlesNote, StartNote, useDataActions } from './data-actions.tsx'
import css from './data-form.module.css'
import { MOST_PREVIEWED, PreviewCards, PreviewSkeleton } from './preview-cards.tsx'
import { TrainingOptionFields, type TrainingOptions, useTrainingOptions } from './training-options.tsx'
import { type DataChoice, dayOfMostCandles, MOST_CANDLES, MOST_COINS } from './use-data-choice.ts'

export interface DataFormProps {
  choice: DataChoice
  actions: ReactNode
  /** Opens what brings candles in. */
  onImport: () => void
}

/** Which candles, and what is done with them: look at them, take them away, learn from them. */
export function DataForm({ choice, actions, onImport }: DataFormProps) {
  const { coins, timeframe, window, counts } = choice
  const user = useUser()
  const modelReply = useEndpointQuery(models, {})
  const does = useDataActions(choice)
  const { preview, download, train, save, wanted } = does
  const draft = useDraft<TrainingOptions>('training')
  const options = useTrainingOptions(timeframe, draft)
  const [areOptionsOpen, setAreOptionsOpen] = useState(draft !== null)
  useKeepDraft('training', areOptionsOpen ? options.values : null)
  const typed = JSON.stringify(options.values)
  const [sent, setSent] = useState('')
  const { question } = useUnsaved(options.isDirty && typed !== sent, () => {})

  const fewest = candlesNeeded(
    options.wrong.lookback === undefined ? (options.values.lookback ?? undefined) : undefined,
  )
  const hasDates = window.fromMs !== null && window.toMs !== null && choice.error === undefined
  const hasCoins = coins.length > 0
  const isTooShort = hasDates && choice.hasCandles !== false && counts.candles < fewest
  const previews = does.isCurrent(preview) ? preview.data : undefined
  const previewDisabledReason = hasCoins ? choice.error && 'Correct the dates first' : 'Choose a coin first'
  const disabledReason = previewDisabledReason ?? (hasDates ? undefined : 'Choose both dates first')
  const button = (action: { isPending: boolean }, act: () => void, reason: string | undefined, mayAct = true) => ({
    disabled: reason !== undefined || !mayAct,
    title: reason,
    ...busyButton(action.isPending, () => {
      does.forgetFailures()
      act()
    }),
  })
  const startTraining = () => {
    if (Object.keys(options.wrong).length > 0) setAreOptionsOpen(true)
    void options.submit(({ version, ...params }) =>
      train.mutate({ ...wanted, version, params, takesNewest: isTooShort }, { onSuccess: () => setSent(typed) }),
    )()
  }
  const chooseMostCandles = () => {
    if (window.toMs !== null) choice.setFrom(dayOfMostCandles(window.toMs, timeframe))
    train.reset()
  }
  return (
    <Card title="Data" actions={actions}>
      <Column gap={2}>
        <DataFields choice={choice} />
        <Row gap={3} lineGap={1.5} wrap>
          <CandleCounts counts={counts} fewest={isTooShort ? fewest : null} />
          <Row gap={1} wrap className={css.actions}>
            <Button
              variant="text"
              aria-expanded={areOptionsOpen}
              onClick={() => setAreOptionsOpen(!areOptionsOpen)}
              endIcon={<ChevronDown size={16} style={{ transform: areOptionsOpen ? 'rotate(180deg)' : 'none' }} />}
            >
              Training options
            </Button>
            <Button variant="text" {...button(save, () => save.mutate(wanted), disabledReason, user !== null)}>
              {save.isPending ? 'Saving…' : 'Save dataset'}
            </Button>
            <Button {...button(preview, () => preview.mutate(wanted), previewDisabledReason)}>
              {preview.isPending ? 'Loading…' : 'Preview'}
            </Button>
            <Button startIcon={<Download />} {...button(download, () => download.mutate(wanted), disabledReason)}>
              {download.isPending ? 'Preparing…' : 'Download Dataset'}
            </Button>
            <Button variant="contained" {...button(train, startTraining, disabledReason, user !== null)}>
              {train.isPending ? 'Starting…' : 'Train latest'}
            </Button>
          </Row>
        </Row>
        {areOptionsOpen && (
          <TrainingOptionFields form={options} timeframe={timeframe} models={modelReply.data?.models ?? []} />
        )}
        {choice.hasCandles === false && <NoCandlesNote onImport={onImport} />}
        <StartNote choice={choice} />
        <DataMessages actions={does} onMoreCandles={chooseMostCandles} />
        {preview.isPending && <PreviewSkeleton coins={coins.slice(0, MOST_PREVIEWED)} />}
        {previews !== undefined && <PreviewCards previews={previews} marketOf={choice.marketOf} />}
        {previews !== undefined && coins.length > MOST_PREVIEWED && (
          <Note as="span" above={-1}>
            The preview shows the first {MOST_PREVIEWED} coins.
          </Note>
        )}
      </Column>
      {question}
    </Card>
  )
}

const timeframeOptions = TIMEFRAMES.map((timeframe) => ({ value: timeframe, label: timeframe }))

function DataFields({ choice }: { choice: DataChoice }) {
  const { coins, timeframe, window } = choice
  return (
    <Columns
      gap={1.5}
      align="start"
      at={{ xs: 2, sm: 3, md: 'minmax(0, 1fr) 112px 160px 160px' }}
      className={css.fields}
    >
      <MultiSelectField
        label="Coins"
        labelNote={`${coins.length} of ${MOST_COINS}`}
        values={coins}
        onChange={choice.setCoins}
        options={choice.symbols}
        most={MOST_COINS}
        placeholder={choice.isLoadingSymbols ? 'Loading the coins…' : 'Add a coin'}
        emptyText={choice.symbols.length === 0 ? 'No coins are known yet' : 'No coin of that name'}
        error={choice.areSymbolsMissing ? "The coins could not be loaded. 'Refresh Data' tries again." : undefined}
      />
      <SelectField label="Timeframe" value={timeframe} onChange={choice.setTimeframe} options={timeframeOptions} />
      <DateField
        label="From"
        value={window.fromMs === null ? null : utcDayStart(window.fromMs)}
        onChange={choice.setFrom}
        maxMs={choice.nowMs}
        error={choice.errors.from}
      />
      <DateField
        label="To"
        value={window.toMs === null ? null : utcDayStart(window.toMs - 1)}
        onChange={choice.setTo}
        maxMs={choice.nowMs}
        error={choice.errors.to}
      />
    </Columns>
  )
}

/**
 * How many candles the range has, how many rows its export has, and whether they are enough to train on: `fewest` are
 * needed where they are not, else it is null.
 */
function CandleCounts({ counts, fewest }: Pick<DataChoice, 'counts'> & { fewest: number | null }) {
  const isTooShort = fewest !== null
  return (
    <div style={{ flex: '1 1 320px', minWidth: 0 }}>
      <Text size="small" tone="text2">
        Candles by range <span style={{ color: colors.text, fontWeight: 600 }}>{formatCount(counts.candles)}</span>
        {counts.candles > 0 && (
          <span style={{ color: colors.text3 }}>
            {' '}
            · export has {formatCounted(counts.rows, 'row')}
            {counts.candles === MOST_CANDLES && ', the newest of the range'}
          </span>
        )}
      </Text>
      <Text
        size="small"
        tone={isTooShort ? 'warn' : 'text2'}
        above={0.5}
        style={{ display: 'flex', alignItems: 'flex-start', gap: 6 }}
      >
        <TriangleAlert size={14} aria-hidden style={{ marginTop: 2, flexShrink: 0 }} />
        <span>Training uses a candle count: last 400 + warmup ≈99 excluded</span>
      </Text>
      {isTooShort && (
        <Text size="small" tone="text2" above={0.5}>
          Too few to train on ({formatCount(fewest)} at least): Train latest takes the newest{' '}
          {formatCount(MOST_CANDLES)} candles.
        </Text>
      )}
    </div>
  )
}
