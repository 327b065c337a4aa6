import { Box, Typography } from '@mui/material'
import { type ReactNode, useId } from 'react'
import { colors } from '../theme/tokens.ts'

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
    <Box sx={{ minWidth: 0, width: '100%' }}>
      <Typography
        variant="label"
        id={labelId}
        {...(labelFor ? { component: 'label' as const, htmlFor: controlId } : { component: 'span' as const })}
        sx={{ display: 'block', mb: 0.75, color: colors.text2 }}
      >
        {label}
        {labelNote !== undefined && (
          <Typography component="span" variant="label" sx={{ ml: 0.5, color: colors.text3, fontWeight: 400 }}>
            {labelNote}
          </Typography>
        )}
      </Typography>
      {children({
        controlId,
        labelId,
        describedBy: line === undefined ? undefined : lineId,
        invalid: error !== undefined,
      })}
      {line !== undefined && (
        <Typography
          component="div"
          variant="label"
          id={lineId}
          {...(error !== undefined && { role: 'alert' })}
          sx={{ mt: 0.75, fontWeight: 400, color: error === undefined ? colors.text3 : colors.down }}
        >
          {line}
        </Typography>
      )}
    </Box>
  )
}
