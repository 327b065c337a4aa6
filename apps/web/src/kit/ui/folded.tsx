import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { PlainButton } from './button.tsx'
import card from './card.module.css'
import css from './folded.module.css'
import layout from './layout.module.css'
import { Note, Row, Text } from './primitives.tsx'

/** What is read when asked for, folded under its name. `flush` in a card whose body reaches the edges. */
export function Folded({ title, flush = false, children }: { title: string; flush?: boolean; children: ReactNode }) {
  return (
    <details className={flush ? css.flush : css.folded}>
      <summary className={layout.summary}>{title}</summary>
      <div className={css.body}>{children}</div>
    </details>
  )
}

/** A word of a card, and what it means in plain ones. */
export type Term = readonly [word: string, meaning: string]

/** At the foot of a card: its words explained, for anyone who opens it. `flush` in a card whose body reaches the edges. */
export function Meanings({ terms, flush = false }: { terms: readonly Term[]; flush?: boolean }) {
  return (
    <Folded title="What do these words mean?" flush={flush}>
      <dl className={css.list}>
        {terms.map(([word, meaning]) => (
          <div key={word}>
            <Text as="dt" size="small" weight={500}>
              {word}
            </Text>
            <Text as="dd" size="small" tone="text2" className={css.meaning}>
              {meaning}
            </Text>
          </div>
        ))}
      </dl>
    </Folded>
  )
}

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
