import { type ReactNode, useId } from 'react'
import css from './field.module.css'
import { Note, Text } from './text.tsx'

export interface FieldTexts {
  label: string
  /** A quiet word after the label: '3 of 5'. */
  labelNote?: string
  /** A line below that helps; an error takes its place. */
  help?: ReactNode
  /** What is wrong, as a sentence. */
  error?: string | undefined
}

export interface FieldIds {
  controlId: string
  labelId: string
  /** For `aria-describedby`, where a line stands below. */
  describedBy: string | undefined
  invalid: boolean
}

/** Label above, control, help or error below. The control takes its ids from the argument of `children`. */
export function Field({
  label,
  labelNote,
  help,
  error,
  children,
  labelFor = true,
}: FieldTexts & { children: (ids: FieldIds) => ReactNode; labelFor?: boolean }) {
  const controlId = useId()
  const labelId = `${controlId}-label`
  const lineId = `${controlId}-line`
  const line = error ?? help
  return (
    <div className={css.field}>
      <Text
        size="label"
        tone="text2"
        id={labelId}
        as={labelFor ? 'label' : 'span'}
        {...(labelFor && { htmlFor: controlId })}
        className={css.label}
      >
        {label}
        {labelNote !== undefined && (
          <Note as="span" className={css.labelNote}>
            {labelNote}
          </Note>
        )}
      </Text>
      {children({
        controlId,
        labelId,
        describedBy: line === undefined ? undefined : lineId,
        invalid: error !== undefined,
      })}
      {line !== undefined && (
        <Note
          tone={error === undefined ? 'text3' : 'down'}
          id={lineId}
          {...(error !== undefined && { role: 'alert' })}
          className={css.line}
        >
          {line}
        </Note>
      )}
    </div>
  )
}
