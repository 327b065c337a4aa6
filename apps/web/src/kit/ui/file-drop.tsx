import { FileUp } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { formatFileSize } from '../format/number.ts'
import css from './file-drop.module.css'
import layout from './layout.module.css'
import { Note, Text } from './primitives.tsx'

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
  return (
    <div className={layout.shrinks}>
      <label
        onDragOver={(event: DragEvent) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
        className={[css.drop, error !== undefined && css.wrong, isOver && css.over].filter(Boolean).join(' ')}
      >
        <FileUp size={18} aria-hidden className={css.icon} />
        <div className={layout.shrinks}>
          <Text as="div" breaks weight={500}>
            {file === null ? prompt : file.name}
          </Text>
          <Note>{file === null ? hint : formatFileSize(file.size)}</Note>
        </div>
        <input
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
          className={layout.visuallyHidden}
        />
      </label>
      {error !== undefined && (
        <Note breaks tone="down" id={errorId} role="alert" above={0.75}>
          {error}
        </Note>
      )}
    </div>
  )
}
