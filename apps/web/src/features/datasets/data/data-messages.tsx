import { Button } from '@mui/material'
import { Banner } from '#kit/ui/banner.tsx'
import type { TrainFailure } from './use-train.ts'

/** What the buttons of the Data card could not do, each with a way on. */
export function DataMessages({
  previewError,
  downloadError,
  trainFailures,
  onDismissTraining,
  onDismissDownload,
  onMoreCandles,
}: {
  previewError: string | null
  downloadError: string | null
  trainFailures: readonly TrainFailure[]
  onDismissTraining: () => void
  onDismissDownload: () => void
  onMoreCandles: () => void
}) {
  const [first, ...others] = trainFailures
  return (
    <>
      {previewError !== null && (
        <Banner kind="error" title="The preview could not be loaded">
          {previewError}
        </Banner>
      )}
      {downloadError !== null && (
        <Banner kind="error" title="The dataset could not be downloaded" onDismiss={onDismissDownload}>
          {downloadError}
        </Banner>
      )}
      {first !== undefined && (
        <Banner
          kind="error"
          title={`${[first, ...others].map(({ symbol }) => symbol).join(', ')} ${first.isRefused ? 'cannot be trained' : 'could not be sent to training'}`}
          onDismiss={onDismissTraining}
          action={
            first.tooFewCandles ? (
              <Button size="small" onClick={onMoreCandles}>
                Choose 5,000 candles
              </Button>
            ) : undefined
          }
        >
          {first.text}
        </Banner>
      )}
    </>
  )
}
