import { ALL_MODEL_TERMS } from '#entities/terms/model-terms.ts'
import { TRADING_TERMS } from '#entities/terms/trading-terms.ts'
import { Card } from '#kit/ui/card.tsx'
import type { Term } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Columns, Text } from '#kit/ui/primitives.tsx'

/** Each word once, by the alphabet. */
const sorted = (terms: readonly Term[]): Term[] =>
  [...new Map(terms)].sort(([one], [other]) => one.localeCompare(other, 'en'))

const GROUPS = [
  { title: 'Bots, backtests and money', terms: sorted(TRADING_TERMS) },
  {
    title: 'Models and how they are judged',
    terms: sorted(ALL_MODEL_TERMS),
  },
] as const

/** The product's words in plain ones. Most stand explained where they are used, too. */
export const GlossaryPage = () => (
  <div className={layout.formColumn}>
    {GROUPS.map(({ title, terms }) => (
      <Card key={title} title={title}>
        <Column as="dl" gap={1.5} className={layout.list}>
          {terms.map(([word, meaning]) => (
            <Columns key={word} gap={2} lineGap={0.25} at={{ sm: '180px minmax(0, 1fr)' }}>
              <Text as="dt" weight={500}>
                {word}
              </Text>
              <Text as="dd" size="small" tone="text2" style={{ fontVariantNumeric: 'normal' }}>
                {meaning}
              </Text>
            </Columns>
          ))}
        </Column>
      </Card>
    ))}
  </div>
)
