import { Box, Button, Collapse, Typography } from '@mui/material'
import { type Model, models } from '@shapecast/contracts/ml'
import { candlesNeeded } from '@shapecast/contracts/training-candles'
import { ChevronDown, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { CandleCounts } from './candle-counts.tsx'
import { DataFields } from './data-fields.tsx'
import { DataMessages } from './data-messages.tsx'
import { dayOfMostCandles } from './dataset-window.ts'
import { NoCandlesNote } from './no-candles-note.tsx'
import { PreviewCards, PreviewSkeleton } from './preview-cards.tsx'
import { SaveMessages } from './save-messages.tsx'
import { StartNote } from './start-note.tsx'
import { TrainingOptionFields, type TrainingOptions, useTrainingOptions } from './training-options.tsx'
import type { DataChoice } from './use-data-choice.ts'
import { useDownload } from './use-download.ts'
import { MOST_PREVIEWED, usePreview } from './use-preview.ts'
import { useSaveDatasets } from './use-save-datasets.ts'
import { useTrain } from './use-train.ts'

const NO_MODELS: readonly Model[] = []

const actionsRow = {
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: 1,
  '& > button': { flex: { xs: '1 1 auto', sm: '0 0 auto' } },
} as const

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
  const whyNotPreview = hasCoins ? choice.error && 'Correct the dates first' : 'Choose a coin first'
  const whyNot = whyNotPreview ?? (hasDates ? undefined : 'Choose both dates first')
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
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <DataFields choice={choice} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 1.5, alignItems: 'center' }}>
          <CandleCounts counts={counts} fewest={isTooShort ? fewest : null} />
          <Box sx={actionsRow}>
            <Button
              variant="text"
              aria-expanded={areOptionsOpen}
              onClick={() => setAreOptionsOpen(!areOptionsOpen)}
              endIcon={
                <Box component={ChevronDown} size={16} sx={{ transform: areOptionsOpen ? 'rotate(180deg)' : 'none' }} />
              }
            >
              Training options
            </Button>
            <Button
              variant="text"
              disabled={whyNot !== undefined || user === null}
              title={whyNot}
              {...busyPress(save.isPending, () => {
                forgetFailures()
                save.mutate(wanted)
              })}
            >
              {save.isPending ? 'Saving…' : 'Save dataset'}
            </Button>
            <Button
              disabled={whyNotPreview !== undefined}
              title={whyNotPreview}
              {...busyPress(preview.isPending, () => {
                forgetFailures()
                preview.mutate(wanted)
              })}
            >
              {preview.isPending ? 'Loading…' : 'Preview'}
            </Button>
            <Button
              startIcon={<Download />}
              disabled={whyNot !== undefined}
              title={whyNot}
              {...busyPress(download.isPending, () => {
                forgetFailures()
                download.mutate(wanted)
              })}
            >
              {download.isPending ? 'Preparing…' : 'Download Dataset'}
            </Button>
            <Button
              variant="contained"
              disabled={whyNot !== undefined || user === null}
              title={whyNot}
              {...busyPress(train.isPending, startTraining)}
            >
              {train.isPending ? 'Starting…' : 'Train latest'}
            </Button>
          </Box>
        </Box>
        <Collapse in={areOptionsOpen} unmountOnExit sx={{ mt: areOptionsOpen ? 0 : -2 }}>
          <TrainingOptionFields form={options} timeframe={timeframe} models={modelReply.data?.models ?? NO_MODELS} />
        </Collapse>
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
          <Typography variant="label" sx={{ mt: -1, color: colors.text3, fontWeight: 400 }}>
            The preview shows the first {MOST_PREVIEWED} coins.
          </Typography>
        )}
      </Box>
      {question}
    </Card>
  )
}
