import { lazy, Suspense } from 'react'
import css from './date-field.module.css'
import type { DayPickerProps } from './day-picker.tsx'
import { Field, type FieldTexts } from './field.tsx'

const DayPicker = lazy(async () => ({ default: (await import('./day-picker.tsx')).DayPicker }))

/** A day in UTC, typed part by part (`20 Nov 2025`) or picked from a calendar; arrow keys change the part in focus. */
export const DateField = ({ label, labelNote, help, error, ...day }: FieldTexts & DayPickerProps) => (
  <Field {...{ label, help, error }} labelFor={false} {...(labelNote !== undefined && { labelNote })}>
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
