import { Box, Button } from '@mui/material'
import { busyPress } from '#kit/ui/busy-press.ts'
import { FileDrop } from '#kit/ui/file-drop.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import type { useUpload } from './use-upload.ts'

type Upload = ReturnType<typeof useUpload>

/** The network's file and its card; both may be dropped on either. */
export const UploadFiles = ({ upload }: { upload: Upload }) => (
  <Box sx={halves}>
    <FileDrop
      label="ONNX file"
      prompt="Drop the .onnx file here, or choose it"
      hint="weights inside, at most 20 MB"
      accept=".onnx,.json"
      multiple
      file={upload.onnx}
      onFiles={upload.take}
      error={upload.errors.onnx}
    />
    <FileDrop
      label="Card of the model"
      prompt="Drop its card .json here, or choose it"
      hint="what it is given and what its numbers mean"
      accept=".json,.onnx,application/json"
      multiple
      file={upload.cardFile}
      onFiles={upload.take}
      error={upload.errors.card}
    />
  </Box>
)

/** What it is called here, what it is for, and the button that sends it. */
export const UploadFields = ({ upload, symbols }: { upload: Upload; symbols: readonly string[] }) => (
  <Box sx={fields}>
    <TextField
      label="Version"
      labelNote="new, or one of yours"
      value={upload.version}
      onChange={(event) => upload.setVersion(event.target.value.trim())}
      placeholder="my-model"
      autoComplete="off"
      error={upload.errors.version}
    />
    <SelectField
      label="Symbol"
      value={upload.symbol}
      onChange={upload.setSymbol}
      options={symbols.map((name) => ({ value: name, label: name }))}
      error={upload.errors.symbol}
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
)

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
