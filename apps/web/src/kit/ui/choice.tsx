import { Radio } from '@mui/material'
import type { ReactNode } from 'react'
import css from './choice.module.css'
import { Text } from './text.tsx'

/** One of a few ways to go on, with what it means; stands in a `RadioGroup`. */
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
  <label className={isChosen ? `${css.choice} ${css.chosen}` : css.choice}>
    <Radio value={value} size="small" sx={{ p: 0, alignSelf: 'start' }} />
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
