import { MenuItem, Select } from '@mui/material'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { ChevronDown, Square, SquareCheck, SquareMinus } from 'lucide-react'
import { colors } from '#kit/theme/tokens.ts'
import { Field } from '#kit/ui/field.tsx'
import { type ChosenFeatures, type FeatureOption, featureOptions, featureWords, press } from './feature-choice.ts'
import css from './feature-field.module.css'

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
          MenuProps={{ slotProps: { paper: { style: { maxHeight: 420 } } } }}
        >
          {options.map((option) => (
            <MenuItem key={option.key} value={option.key} className={`${css.item} ${css[option.level]}`}>
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
    <Icon
      size={16}
      {...(state === 'partly' ? { 'aria-label': 'In part:', role: 'img' } : { 'aria-hidden': true })}
      style={{ color: state === 'left' ? colors.text3 : colors.accent, flexShrink: 0 }}
    />
  )
}
