import type { ForeignModelCard } from '@shapecast/contracts/foreign-card'
import { Text } from '#kit/ui/text.tsx'
import css from './card-summary.module.css'
import { cardLines } from './card-words.ts'

/** What a card says, as it is read from the file, before anything is sent. */
export function CardSummary({ card }: { card: ForeignModelCard }) {
  return (
    <dl aria-label="What the card says" className={css.facts}>
      {cardLines(card).map(({ label, value, isWarning }) => (
        <div key={label} style={{ display: 'contents' }}>
          <Text as="dt" size="small" tone="text3">
            {label}
          </Text>
          <Text as="dd" size="small" tone={isWarning ? 'warn' : 'text2'} breaks className={css.fact}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}
