import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { FileDrop } from '#kit/ui/file-drop.tsx'
import layout from '#kit/ui/layout.module.css'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import css from './upload-fields.module.css'
import type { useUpload } from './use-upload.ts'

type Upload = ReturnType<typeof useUpload>

/** The network's file and its card; both may be dropped on either. */
export const UploadFiles = ({ upload }: { upload: Upload }) => (
  <div className={layout.halves} style={{ alignItems: 'start' }}>
    <FileDrop
      label="ONNX file"
      prompt="Drop the .onnx file here, or choose it"
      hint={`weights inside, at most ${upload.largestMb} MB`}
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
  </div>
)

/** What it is called here, what it is for, and the button that sends it. */
export const UploadFields = ({ upload, symbols }: { upload: Upload; symbols: readonly string[] }) => (
  <div className={css.fields}>
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
    <div className={css.send}>
      <Button
        fullWidth
        disabled={upload.missing !== undefined}
        title={upload.missing}
        {...busyButton(upload.isPending, upload.send)}
      >
        {upload.isPending ? 'Trying it out…' : 'Upload'}
      </Button>
    </div>
  </div>
)
