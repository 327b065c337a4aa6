import { Box, Button, LinearProgress, Typography } from '@mui/material'
import { memo, useState } from 'react'
import { errorDetail, errorText } from '../../../shared/api/error-text.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Banner } from '../../../shared/ui/banner.tsx'
import { busyPress } from '../../../shared/ui/busy-press.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { SelectField } from '../../../shared/ui/select-field.tsx'
import { TextField } from '../../../shared/ui/text-field.tsx'
import { FileDrop } from '../file-drop.tsx'
import { CardSummary } from './card-summary.tsx'
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
  const { errors } = upload
  return (
    <Card
      title="Upload a model"
      facts="an ONNX file and its card"
      actions={
        <Button variant="text" size="small" sx={{ mr: -1 }} onClick={() => setIsHelpOpen(true)}>
          What must the file look like?
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Box sx={halves}>
          <FileDrop
            label="ONNX file"
            prompt="Drop the .onnx file here, or choose it"
            hint="weights inside, at most 20 MB"
            accept=".onnx,.json"
            multiple
            file={upload.onnx}
            onFiles={upload.take}
            error={errors.onnx}
          />
          <FileDrop
            label="Card of the model"
            prompt="Drop its card .json here, or choose it"
            hint="what it is given and what its numbers mean"
            accept=".json,.onnx,application/json"
            multiple
            file={upload.cardFile}
            onFiles={upload.take}
            error={errors.card}
          />
        </Box>
        {upload.card !== null && <CardSummary card={upload.card} />}
        <Box sx={fields}>
          <TextField
            label="Version"
            labelNote="new, or one of yours"
            value={upload.version}
            onChange={(event) => upload.setVersion(event.target.value.trim())}
            placeholder="my-model"
            autoComplete="off"
            error={errors.version}
          />
          <SelectField
            label="Symbol"
            value={upload.symbol}
            onChange={upload.setSymbol}
            options={symbols.map((name) => ({ value: name, label: name }))}
            error={errors.symbol}
          />
          <Box sx={{ pt: { sm: '22px' } }}>
            <Button
              fullWidth
              disabled={upload.missing !== undefined}
              title={upload.missing}
              {...busyPress(upload.isPending, upload.send)}
            >
              {upload.isPending ? 'Trying it out…' : 'Upload'}
            </Button>
          </Box>
        </Box>
        {upload.isPending && (
          <Box>
            <LinearProgress aria-label="Uploading the model" />
            <Typography component="p" role="status" variant="small" sx={{ m: 0, mt: 1, color: colors.text2 }}>
              It is checked, loaded in a process of its own, and judged on the newest 400 candles. Nothing is kept where
              that fails.
            </Typography>
          </Box>
        )}
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
      </Box>
      <UploadHelp open={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </Card>
  )
})

const halves = {
  display: 'grid',
  gap: 1.5,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
} as const
const fields = {
  display: 'grid',
  gap: 1.5,
  alignItems: 'start',
  // The version stands under the file, the coin and the button under its card.
  gridTemplateColumns: {
    xs: 'minmax(0, 1fr)',
    sm: 'minmax(0, 1fr) minmax(0, 1fr) 140px',
    md: 'calc(50% - 6px) minmax(0, 1fr) 140px',
  },
} as const
