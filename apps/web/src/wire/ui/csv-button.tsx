import { FILE_FORMATS } from '@shapecast/contracts/backtest'
import type { ReceivedFile } from '@shapecast/contracts/client'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { errorInFull } from '../calls/error-text.ts'
import { saveFile } from '../calls/save-file.ts'

type FileFormat = (typeof FILE_FORMATS)[number]

export interface CsvButtonProps {
  fetchFile: () => Promise<ReceivedFile>
  /** Where a page has several: what is saved, for a screen reader. */
  label?: string
  /** What is saved, such as 'trades': names a file without a name, and what failed where the server does not say it. */
  of: string
  /** Where the file brings no name of its own, and `of` does not say it. */
  fallbackName?: string
  /** What stands on it. */
  text?: 'CSV' | 'Parquet'
}

/** Fetches a table and hands it to the browser to save; says under its name why it could not. */
export function CsvButton({ fetchFile, of, fallbackName = `${of}.csv`, label, text = 'CSV' }: CsvButtonProps) {
  const save = useMutation({
    mutationFn: fetchFile,
    onSuccess: (file) => saveFile(file, fallbackName),
  })
  return (
    <Button
      size="small"
      startIcon={<Download size={14} />}
      aria-label={save.isError ? undefined : label}
      {...(save.isError && { title: errorInFull(save.error, `The ${of} could not be saved`) })}
      {...busyButton(save.isPending, () => save.mutate())}
    >
      {save.isError ? 'Not saved, again' : text}
    </Button>
  )
}

/** A table to be saved as either. */
export const TableButtons = ({
  fetchFile,
  name,
}: {
  fetchFile: (format: FileFormat) => Promise<ReceivedFile>
  name: string
}) =>
  FILE_FORMATS.map((format) => (
    <CsvButton
      key={format}
      text={format === 'csv' ? 'CSV' : 'Parquet'}
      of="table"
      fetchFile={() => fetchFile(format)}
      fallbackName={`${name}.${format}`}
    />
  ))
