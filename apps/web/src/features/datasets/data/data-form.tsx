import { type Model, models } from '@shapecast/contracts/ml'
import { candlesNeeded } from '@shapecast/contracts/training-candles'
import { ChevronDown, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Column, Row } from '#kit/ui/layout.tsx'
import { Note } from '#kit/ui/text.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { CandleCounts, DataFields } from './data-fields.tsx'
import css from './data-form.module.css'
import { DataMessages, NoCandlesNote, SaveMessages, StartNote } from './data-messages.tsx'
import { dayOfMostCandles } from './dataset-window.ts'
import { MOST_PREVIEWED, PreviewCards, PreviewSkeleton, usePreview } from './preview-cards.tsx'
import { TrainingOptionFields, type TrainingOptions, useTrainingOptions } from './training-options.tsx'
import { useDownload, useSaveDatasets, useTrain } from './use-data-actions.ts'
import type { DataChoice } from './use-data-choice.ts'

const NO_MODELS: readonly Model[] = []

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
  const preview = usePreview()
  const download = useDownload()
  const train = useTrain()
  const save = useSaveDatasets()
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
  const wanted = { coins, timeframe, window, counts, key: choice.key }
  const previews = preview.variables?.key === choice.key ? preview.data : undefined
  const previewDisabledReason = hasCoins ? choice.error && 'Correct the dates first' : 'Choose a coin first'
  const disabledReason = previewDisabledReason ?? (hasDates ? undefined : 'Choose both dates first')
  // What failed before says nothing of what is tried now.
  const forgetFailures = () => {
    for (const action of [preview, download, train, save]) if (action.isError) action.reset()
    if ((train.data?.length ?? 0) > 0) train.reset()
    if ((save.data?.failures.length ?? 0) > 0) save.reset()
  }
  const startTraining = () => {
    forgetFailures()
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
            <Button
              variant="text"
              disabled={disabledReason !== undefined || user === null}
              title={disabledReason}
              {...busyButton(save.isPending, () => {
                forgetFailures()
                save.mutate(wanted)
              })}
            >
              {save.isPending ? 'Saving…' : 'Save dataset'}
            </Button>
            <Button
              disabled={previewDisabledReason !== undefined}
              title={previewDisabledReason}
              {...busyButton(preview.isPending, () => {
                forgetFailures()
                preview.mutate(wanted)
              })}
            >
              {preview.isPending ? 'Loading…' : 'Preview'}
            </Button>
            <Button
              startIcon={<Download />}
              disabled={disabledReason !== undefined}
              title={disabledReason}
              {...busyButton(download.isPending, () => {
                forgetFailures()
                download.mutate(wanted)
              })}
            >
              {download.isPending ? 'Preparing…' : 'Download Dataset'}
            </Button>
            <Button
              variant="contained"
              disabled={disabledReason !== undefined || user === null}
              title={disabledReason}
              {...busyButton(train.isPending, startTraining)}
            >
              {train.isPending ? 'Starting…' : 'Train latest'}
            </Button>
          </Row>
        </Row>
        {areOptionsOpen && (
          <TrainingOptionFields form={options} timeframe={timeframe} models={modelReply.data?.models ?? NO_MODELS} />
        )}
        {choice.hasCandles === false && <NoCandlesNote onImport={onImport} />}
        <StartNote choice={choice} />
        <SaveMessages outcome={save.variables?.key === choice.key ? save.data : undefined} onDismiss={save.reset} />
        <DataMessages
          previewError={
            preview.isError && preview.variables.key === choice.key
              ? (errorDetail(preview.error) ?? errorText(preview.error, 'Try again in a moment.'))
              : null
          }
          downloadError={
            download.isError
              ? (errorDetail(download.error) ?? errorText(download.error, 'Try again in a moment.'))
              : null
          }
          trainFailures={train.data ?? []}
          onDismissTraining={train.reset}
          onDismissDownload={download.reset}
          onMoreCandles={chooseMostCandles}
        />
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
