import { lazy, Suspense } from 'react'
import type { DayPickerProps } from './day-picker.tsx'
import { Field, type FieldTexts } from './field.tsx'
import css from './large-fields.module.css'
import type { MultiSelectProps } from './multi-select.tsx'

const DayPicker = lazy(async () => ({ default: (await import('./day-picker.tsx')).DayPicker }))

/** A day in UTC, typed part by part (`20 Nov 2025`) or picked from a calendar; arrow keys change the part in focus. */
export const DateField = ({ label, labelNote, help, error, ...day }: FieldTexts & DayPickerProps) => (
  <Field {...{ label, labelNote, help, error }} labelFor={false}>
    {(ids) => (
      // The calendar's code is large: until it is there the day can be read.
      <Suspense
        fallback={<div className={css.day}>{day.value !== null && new Date(day.value).toUTCString().slice(5, 16)}</div>}
      >
        <DayPicker {...day} label={label} ids={ids} />
      </Suspense>
    )}
  </Field>
)

const MultiSelect = lazy(async () => ({ default: (await import('./multi-select.tsx')).MultiSelect }))

/** Several of many choices as chips in the field, each at most once. Typing narrows the list; Backspace takes one out. */
export const MultiSelectField = ({ label, labelNote, help, error, ...choice }: FieldTexts & MultiSelectProps) => (
  <Field {...{ label, labelNote, help, error }}>
    {(ids) => (
      // Its code is large: until it is there the choice can be read.
      <Suspense fallback={<div className={css.day}>{choice.values.join(', ')}</div>}>
        <MultiSelect {...choice} ids={ids} />
      </Suspense>
    )}
  </Field>
)
