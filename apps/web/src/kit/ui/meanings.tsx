import { Folded } from './folded.tsx'
import css from './meanings.module.css'
import { Text } from './text.tsx'

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
