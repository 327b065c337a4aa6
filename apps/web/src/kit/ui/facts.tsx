import type { ReactNode } from 'react'
import { Explained } from './explained.tsx'
import css from './facts.module.css'
import { Text } from './text.tsx'

export interface Fact {
  label: string
  value: ReactNode
}

/** Label left, value right, row by row. `well` puts them on the darker ground of a summary inside a card. */
export function Facts({ facts, well = false }: { facts: readonly Fact[]; well?: boolean }) {
  return (
    <dl className={well ? `${css.facts} ${css.well}` : css.facts}>
      {facts.map((fact) => (
        <div key={fact.label} className={css.fact}>
          <Text as="dt" size="small" tone="text2" className={css.label}>
            <Explained label={fact.label} />
          </Text>
          <Text as="dd" size="small" breaks weight={500} className={css.value}>
            {fact.value}
          </Text>
        </div>
      ))}
    </dl>
  )
}
