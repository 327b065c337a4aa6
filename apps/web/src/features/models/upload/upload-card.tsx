import { Button, LinearProgress } from '@mui/material'
import { memo, useState } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { CardSummary } from './card-summary.tsx'
import { UploadFields, UploadFiles } from './upload-fields.tsx'
import { UploadHelp } from './upload-help.tsx'
import { UploadResult } from './upload-result.tsx'
import { useUpload } from './use-upload.ts'

export interface UploadCardProps {
  symbols: readonly string[]
  /** The coin that the page works on. */
  symbol: string | undefined
}

/** Brings a network in that was made elsewhere: its file, its card, and the version and coin that it is for. */
export const UploadCard = memo(function UploadCard({ symbols, symbol }: UploadCardProps) {
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const upload = useUpload(symbol)
  return (
    <Card
      title="Upload a model"
      facts="an ONNX file and its card"
      actions={
        <Button variant="text" size="small" style={{ marginRight: -8 }} onClick={() => setIsHelpOpen(true)}>
          What must the file look like?
        </Button>
      }
    >
      <Column gap={1.5}>
        <UploadFiles upload={upload} />
        {upload.card !== null && <CardSummary card={upload.card} />}
        <UploadFields upload={upload} symbols={symbols} />
        {upload.isPending && <TryingOut />}
        {upload.failure !== null && (
          <Banner
            kind="error"
            title={errorText(upload.failure, 'The model could not be uploaded')}
            onDismiss={upload.dismiss}
          >
            {errorDetail(upload.failure)}
          </Banner>
        )}
        {upload.result !== undefined && <UploadResult uploaded={upload.result} />}
      </Column>
      <UploadHelp open={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </Card>
  )
})

const TryingOut = () => (
  <div>
    <LinearProgress aria-label="Uploading the model" />
    <Text role="status" size="small" tone="text2" above={1}>
      It is checked, loaded in a process of its own, and judged on the newest 400 candles. Nothing is kept where that
      fails.
    </Text>
  </div>
)
