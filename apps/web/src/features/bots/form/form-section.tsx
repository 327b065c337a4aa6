import { Box, Typography } from '@mui/material'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import type { BotForm, FormErrors } from './bot-form.ts'

/** A part of the dialog: its name at the left, its fields at the right; below md, or with a head, one above the other. */
export const FormSection = ({ title, head, children }: { title: string; head?: ReactNode; children: ReactNode }) => (
  <Box
    component="section"
    aria-label={title}
    sx={{
      px: 2.5,
      py: 2,
      display: 'grid',
      gap: { xs: 1.5, md: head === undefined ? 2 : 1 },
      gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: head === undefined ? '128px minmax(0, 1fr)' : 'minmax(0, 1fr)' },
      borderTop: `1px solid ${colors.divider}`,
      '&:first-of-type': { borderTop: 0 },
    }}
  >
    <Box sx={{ display: 'flex', alignItems: 'flex-end', justifyContent: 'space-between' }}>
      <Typography variant="h2" component="h3" sx={{ alignSelf: 'flex-start', pt: { md: 0.5 } }}>
        {title}
      </Typography>
      {head}
    </Box>
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>{children}</Box>
  </Box>
)

/** Fields beside each other where there is room; `columns` is a grid template from sm on. */
export const FieldRow = ({ columns, children }: { columns: string; children: ReactNode }) => (
  <Box
    sx={{
      display: 'grid',
      gap: 1.5,
      alignItems: 'start',
      gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: columns },
    }}
  >
    {children}
  </Box>
)

/** A toggle with its label above, as a field has it. */
export const LabelledToggle = ({
  label,
  note,
  help,
  error,
  children,
}: {
  label: string
  note?: string
  help?: ReactNode
  /** What is wrong with the choice; it takes the place of the help. */
  error?: string | undefined
  children: ReactNode
}) => (
  <Box sx={{ minWidth: 0 }}>
    <Typography variant="label" sx={{ display: 'block', mb: 0.75, color: colors.text2 }}>
      {label}
      {note !== undefined && (
        <Box component="span" sx={{ ml: 0.75, color: colors.text3, fontWeight: 400 }}>
          {note}
        </Box>
      )}
    </Typography>
    {children}
    {(error ?? help) !== undefined && (
      <Typography
        variant="label"
        component="div"
        {...(error !== undefined && { role: 'alert' })}
        sx={{ mt: 0.75, color: error === undefined ? colors.text3 : colors.down, fontWeight: 400 }}
      >
        {error ?? help}
      </Typography>
    )}
  </Box>
)

/** What each section of the dialog gets. */
export interface SectionProps {
  form: BotForm
  change: (change: Partial<BotForm>) => void
  /** Of what is to be shown. */
  errors: FormErrors
}

/** The part of a form whose first wrong field gets the focus at each of `tries` to send it: it may be out of sight. */
export function useFirstWrong(tries: number): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tries > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  return fields
}
