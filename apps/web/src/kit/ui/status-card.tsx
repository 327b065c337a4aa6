import type { ReactNode } from 'react'
import card from './card.module.css'
import { Note, Text } from './primitives.tsx'
import css from './status-card.module.css'

/** One figure at the top of a page: label, number, one line of evidence. 100 px high. */
export function StatusCard({
  label,
  value,
  evidence,
  aside,
  isRow = false,
}: {
  label: string
  value: ReactNode
  evidence?: ReactNode
  /** Stands at the right where there is room. */
  aside?: ReactNode
  /** On a phone the number stands at the right of the words. */
  isRow?: boolean
}) {
  return (
    <div className={`${card.card} ${css.card}`} data-row={isRow}>
      <Text size="label" tone="text2">
        {label}
      </Text>
      <Text as="div" size="numberM" className={css.value}>
        {value}
      </Text>
      <Note tone="text2" className={css.evidence}>
        {evidence}
      </Note>
      {aside && <div className={css.aside}>{aside}</div>}
    </div>
  )
}
