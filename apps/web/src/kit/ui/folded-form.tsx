import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { PlainButton } from './button.tsx'
import card from './card.module.css'
import css from './folded-form.module.css'
import { Row } from './layout.tsx'
import { Note, Text } from './text.tsx'

/** A form in one line while the result is what counts: its name, what it is set to, and its main button. */
export function FoldedForm({
  title,
  note,
  isWarned = false,
  onUnfold,
  children,
}: {
  title: string
  note?: string | undefined
  /** The note is a caution: amber. */
  isWarned?: boolean
  onUnfold: () => void
  children?: ReactNode
}) {
  return (
    <section aria-label={title} className={`${card.card} ${css.form}`}>
      <Row gap={1}>
        <PlainButton aria-expanded={false} onClick={onUnfold} className={css.unfold}>
          <ChevronRight size={16} aria-hidden />
          <span className={css.words}>
            <Text as="span" size="h2" className={css.line}>
              {title}
            </Text>
            {note !== undefined && (
              <Note as="span" tone={isWarned ? 'warn' : 'text2'} className={css.line}>
                {note}
              </Note>
            )}
          </span>
        </PlainButton>
        {children}
      </Row>
    </section>
  )
}
