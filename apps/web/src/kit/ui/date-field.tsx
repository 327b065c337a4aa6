import { Box } from '@mui/material'
import { colors, radius } from '../theme/tokens.ts'
import { coarsePointer, TOUCH_PX } from '../theme/touch.ts'
import type { DayPickerProps } from './day-picker.tsx'
import { Field, type FieldTexts } from './field.tsx'
import { lazily } from './lazily.tsx'

const DayPicker = lazily(async () => (await import('./day-picker.tsx')).DayPicker)

/** A day in UTC, typed part by part (`20 Nov 2025`) or picked from a calendar; arrow keys change the part in focus. */
export const DateField = ({ label, labelNote, help, error, ...day }: FieldTexts & DayPickerProps) => (
  <Field {...{ label, help, error }} labelFor={false} {...(labelNote !== undefined && { labelNote })}>
    {(ids) => (
      // The calendar's code is large: until it is there the day can be read.
      <DayPicker
        {...day}
        label={label}
        ids={ids}
        waiting={<Box sx={dayStyle}>{day.value !== null && new Date(day.value).toUTCString().slice(5, 16)}</Box>}
      />
    )}
  </Field>
)

const dayStyle = {
  typography: 'body1',
  height: 36,
  [coarsePointer]: { height: TOUCH_PX },
  pl: 1.25,
  display: 'flex',
  alignItems: 'center',
  backgroundColor: colors.inset,
  border: `1px solid ${colors.field}`,
  borderRadius: `${radius.button}px`,
} as const
