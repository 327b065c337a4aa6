import { Box, Typography } from '@mui/material'
import { FileUp } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { formatFileSize } from '../format/file-size.ts'
import { colors, TINT, tint } from '../theme/tokens.ts'
import { visuallyHidden } from './visually-hidden.ts'

export interface FileDropProps {
  /** What a screen reader calls it. */
  label: string
  /** In words, while there is no file, and what kinds are taken. */
  prompt: string
  hint: string
  /** For the file dialog. */
  accept: string
  file: File | null
  /** Several where several were dropped or chosen at once. */
  onFiles: (files: readonly File[]) => void
  multiple?: boolean
  /** What is wrong with the file, as a sentence. */
  error?: string | undefined
}

/** Takes files by dropping, or by a press that opens the file dialog. */
export function FileDrop({ label, prompt, hint, accept, file, onFiles, multiple = false, error }: FileDropProps) {
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const dropped = [...event.dataTransfer.files]
    if (dropped.length > 0) onFiles(dropped)
  }
  const edge = error === undefined ? colors.field : colors.down
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box
        component="label"
        onDragOver={(event: DragEvent) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
        sx={{
          position: 'relative',
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          minHeight: 64,
          px: 2,
          py: 1.5,
          borderRadius: 1,
          cursor: 'pointer',
          border: `1px dashed ${isOver ? colors.accent : edge}`,
          backgroundColor: isOver ? tint(colors.accent, TINT.accent) : colors.inset,
          '&:hover': { borderColor: error === undefined ? colors.fieldHover : colors.down },
          '&:focus-within': { outline: `2px solid ${colors.accentHi}`, outlineOffset: '2px' },
        }}
      >
        <Box component={FileUp} size={18} aria-hidden sx={{ color: colors.text2, flexShrink: 0 }} />
        <Box sx={{ minWidth: 0 }}>
          <Typography component="div" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
            {file === null ? prompt : file.name}
          </Typography>
          <Typography component="div" variant="label" sx={{ color: colors.text3, fontWeight: 400 }}>
            {file === null ? hint : formatFileSize(file.size)}
          </Typography>
        </Box>
        <Box
          component="input"
          ref={input}
          type="file"
          accept={accept}
          multiple={multiple}
          aria-label={label}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          onChange={() => {
            const chosen = [...(input.current?.files ?? [])]
            if (chosen.length > 0) onFiles(chosen)
            // The same file chosen again counts as a choice.
            if (input.current !== null) input.current.value = ''
          }}
          sx={visuallyHidden}
        />
      </Box>
      {error !== undefined && (
        <Typography
          component="div"
          variant="label"
          id={errorId}
          role="alert"
          sx={{ mt: 0.75, fontWeight: 400, color: colors.down, overflowWrap: 'anywhere' }}
        >
          {error}
        </Typography>
      )}
    </Box>
  )
}
