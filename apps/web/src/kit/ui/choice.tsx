import { Radio, RadioGroup } from '@mui/material'
import type { ReactNode } from 'react'
import css from './choice.module.css'
import { STEP_PX, Text } from './text.tsx'

/** A few ways to go on, each a box with a radio. `gap` is in steps of 8 px. */
export const Choices = <Value extends string>({
  label,
  value,
  onChange,
  gap = 1,
  children,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  gap?: number
  children: ReactNode
}) => (
  <RadioGroup
    aria-label={label}
    value={value}
    onChange={(_, next) => onChange(next as Value)}
    style={{ display: 'grid', gap: gap * STEP_PX }}
  >
    {children}
  </RadioGroup>
)

export const choiceClass = (isChosen: boolean) => (isChosen ? `${css.choice} ${css.chosen}` : css.choice)

/** One of `Choices`, with what it means. */
export const Choice = ({
  value,
  isChosen,
  title,
  children,
}: {
  value: string
  isChosen: boolean
  title: string
  children: ReactNode
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the Radio in it is its control
  <label className={choiceClass(isChosen)}>
    <Radio value={value} size="small" style={{ padding: 0, alignSelf: 'start' }} />
    <span>
      <Text as="span" weight={500} className={css.title}>
        {title}
      </Text>
      <Text as="span" size="small" tone="text2">
        {children}
      </Text>
    </span>
  </label>
)
