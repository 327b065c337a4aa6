import { Box, Switch, Typography } from '@mui/material'
import { useId } from 'react'
import { colors } from '../theme/tokens.ts'
import { useControlsOff } from './controls-off.ts'

export interface SwitchRowProps {
  title: string
  /** One sentence on what it does now. */
  text: string
  /** Amber: the sentence is a warning. */
  warns?: boolean
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A switch inside a form, with its name and what it does. */
export function SwitchRow({ title, text, warns = false, checked, disabled = false, onChange }: SwitchRowProps) {
  const labelId = useId()
  const areOff = useControlsOff()
  return (
    <Box sx={rowStyle}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="small" component="div" id={labelId} sx={{ fontWeight: 500 }}>
          {title}
        </Typography>
        <Typography variant="label" component="div" sx={{ fontWeight: 400, color: warns ? colors.warn : colors.text2 }}>
          {text}
        </Typography>
      </Box>
      <Switch
        checked={checked}
        disabled={disabled || areOff}
        onChange={(_, next) => onChange(next)}
        slotProps={{ input: { 'aria-labelledby': labelId } }}
      />
    </Box>
  )
}

const rowStyle = {
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  px: 1.25,
  py: 0.75,
  borderRadius: 1,
  backgroundColor: colors.well,
} as const
