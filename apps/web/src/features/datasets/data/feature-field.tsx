import { Box, MenuItem, Select } from '@mui/material'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { ChevronDown, Square, SquareCheck, SquareMinus } from 'lucide-react'
import { colors } from '#kit/theme/tokens.ts'
import { Field } from '#kit/ui/field.tsx'
import { type ChosenFeatures, type FeatureOption, featureOptions, featureWords, press } from './feature-choice.ts'

const Chevron = (props: { className?: string }) => <ChevronDown className={props.className} />
const BOXES = { chosen: SquareCheck, partly: SquareMinus, left: Square } as const

/** Which features a model learns from: all, whole groups, or single ones. */
export function FeatureField({
  timeframe,
  chosen,
  onChange,
  error,
}: {
  timeframe: Timeframe
  chosen: ChosenFeatures
  onChange: (chosen: ChosenFeatures) => void
  error: string | undefined
}) {
  const options = featureOptions(timeframe, chosen)
  const value = options.filter(({ state }) => state === 'chosen').map(({ key }) => key)
  return (
    <Field
      label="Features"
      help="What it learns from; past moves always count for volatility"
      error={error}
      labelFor={false}
    >
      {({ labelId, controlId, describedBy, invalid }) => (
        <Select<string[]>
          multiple
          fullWidth
          displayEmpty
          id={controlId}
          labelId={labelId}
          error={invalid}
          value={value}
          onChange={({ target }) => {
            const next = typeof target.value === 'string' ? target.value.split(',') : target.value
            const pressed = options.find(({ key }) => next.includes(key) !== value.includes(key))
            if (pressed !== undefined) onChange(press(timeframe, chosen, pressed.key))
          }}
          IconComponent={Chevron}
          renderValue={() => featureWords(timeframe, chosen)}
          SelectDisplayProps={{ 'aria-describedby': describedBy, 'aria-invalid': invalid }}
          MenuProps={{ slotProps: { paper: { sx: { maxHeight: 420 } } } }}
        >
          {options.map((option) => (
            <MenuItem key={option.key} value={option.key} sx={ITEM[option.level]}>
              <Tick option={option} />
              <span>{option.label}</span>
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** A box that is ticked, or half ticked where a group is chosen in part; in words for a screen reader. */
function Tick({ option: { state } }: { option: FeatureOption }) {
  const Icon = BOXES[state]
  return (
    <Box
      component={Icon}
      size={16}
      {...(state === 'partly' ? { 'aria-label': 'In part:', role: 'img' } : { 'aria-hidden': true })}
      sx={{ flexShrink: 0, color: state === 'left' ? colors.text3 : colors.accent }}
    />
  )
}

/** The box says what is chosen; a whole list on the ground of a chosen option would shout. */
const quiet = {
  whiteSpace: 'normal',
  '&.Mui-selected': { backgroundColor: 'transparent', color: 'inherit' },
  '&.Mui-selected:hover, &.Mui-selected.Mui-focusVisible': { backgroundColor: colors.buttonEdge },
} as const
const ITEM = {
  all: { ...quiet, fontWeight: 500 },
  group: { ...quiet, fontWeight: 500, mt: 0.5 },
  feature: { ...quiet, pl: '28px !important' },
} as const
