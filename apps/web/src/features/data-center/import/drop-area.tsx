import { Box, Typography } from '@mui/material'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { visuallyHidden } from '../../../charts/visually-hidden.ts'
import { colors, TINT, tint } from '../../../shared/theme/tokens.ts'

const KINDS = '.csv,.gz,.zip,text/csv,application/gzip,application/zip'

function sizeWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Takes one file by dropping, or by a press that opens the file dialog. */
export function DropArea({ file, onFile }: { file: File | null; onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const dropped = event.dataTransfer.files[0]
    if (dropped !== undefined) onFile(dropped)
  }
  return (
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
        border: `1px dashed ${isOver ? colors.accent : colors.field}`,
        backgroundColor: isOver ? tint(colors.accent, TINT.accent) : colors.inset,
        '&:hover': { borderColor: colors.fieldHover },
        '&:focus-within': { outline: `2px solid ${colors.accentHi}`, outlineOffset: '2px' },
      }}
    >
      <Box component={FileUp} size={18} aria-hidden sx={{ color: colors.text2, flexShrink: 0 }} />
      <Box sx={{ minWidth: 0 }}>
        <Typography component="div" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
          {file === null ? 'Drop a file of candles here, or choose one' : file.name}
        </Typography>
        <Typography component="div" variant="label" sx={{ color: colors.text3, fontWeight: 400 }}>
          {file === null ? 'CSV, .gz or .zip: ours, Binance klines, CryptoDataDownload' : sizeWords(file.size)}
        </Typography>
      </Box>
      <Box
        component="input"
        ref={input}
        type="file"
        accept={KINDS}
        aria-label="File of candles"
        onChange={() => {
          const chosen = input.current?.files?.[0]
          if (chosen !== undefined) onFile(chosen)
          // The same file chosen again counts as a choice.
          if (input.current !== null) input.current.value = ''
        }}
        sx={visuallyHidden}
      />
    </Box>
  )
}
