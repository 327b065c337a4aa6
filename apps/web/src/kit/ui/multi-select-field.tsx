import { lazy, Suspense } from 'react'
import css from './date-field.module.css'
import { Field, type FieldTexts } from './field.tsx'
import type { MultiSelectProps } from './multi-select.tsx'

const MultiSelect = lazy(async () => ({ default: (await import('./multi-select.tsx')).MultiSelect }))

/** Several of many choices as chips in the field, each at most once. Typing narrows the list; Backspace takes one out. */
export const MultiSelectField = ({ label, labelNote, help, error, ...choice }: FieldTexts & MultiSelectProps) => (
  <Field {...{ label, help, error }} {...(labelNote !== undefined && { labelNote })}>
    {(ids) => (
      // Its code is large: until it is there the choice can be read.
      <Suspense fallback={<div className={css.day}>{choice.values.join(', ')}</div>}>
        <MultiSelect {...choice} ids={ids} />
      </Suspense>
    )}
  </Field>
)
