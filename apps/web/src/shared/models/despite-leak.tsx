import { Checkbox, FormControlLabel } from '@mui/material'
import { Banner } from '../ui/banner.tsx'
import { LEAK_MEANS } from './leak-words.ts'

/** Why nothing goes on before the box is ticked. */
export const TICK_FIRST = 'Confirm first that you know that it leaks'

/** Says first that a model leaks, and asks for the confirmation without which it goes nowhere. */
export function DespiteLeak({
  title,
  isConfirmed,
  onChange,
}: {
  title: string
  isConfirmed: boolean
  onChange: (isConfirmed: boolean) => void
}) {
  return (
    <Banner kind="error" title={title}>
      {LEAK_MEANS}
      <FormControlLabel
        sx={{ display: 'flex', mt: 0.5, mr: 0 }}
        control={<Checkbox size="small" checked={isConfirmed} onChange={(_, next) => onChange(next)} />}
        label="I know that it leaks and want it nonetheless"
      />
    </Banner>
  )
}
