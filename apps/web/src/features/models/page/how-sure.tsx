import type { ReactNode } from 'react'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import { Folded } from '#kit/ui/folded.tsx'
import { Text } from '#kit/ui/text.tsx'

/** Folded at the foot of a card: its scores with their 95 % intervals, and what such an interval says. */
export function HowSure({ facts, children }: { facts: readonly Fact[]; children?: ReactNode }) {
  return (
    <Folded title="How sure is this?">
      <Text size="small" tone="text2" style={{ maxWidth: 760 }}>
        The figures after a value are its 95% interval: in about 19 of 20 such tests the truth lies inside. Where it
        holds 0, chance alone can explain the value. Made by drawing the tested candles again, a day of 24 at a time.
      </Text>
      <div style={{ maxWidth: 560 }}>
        <Facts facts={facts} />
      </div>
      {children}
    </Folded>
  )
}
