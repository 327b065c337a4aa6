import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import layout from '#kit/ui/layout.module.css'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useIdentityProof } from '#wire/proof/use-identity-proof.tsx'
import css from '../form/bot-form.module.css'
import { FieldRow } from '../form/form-section.tsx'

/** Takes the words that a person writes before real money moves: its field, and what is still to be done. */
export function useRealMoneyWords(isNeeded: boolean) {
  const [words, setWords] = useState('')
  const areTyped = words.trim().toLowerCase() === REAL_MONEY_WORDS
  return {
    areTyped,
    field: isNeeded && (
      <TextField
        label={`Type ‘${REAL_MONEY_WORDS}’`}
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    ),
    disabledReason: isNeeded && !areTyped ? `Type the words ${REAL_MONEY_WORDS} first` : undefined,
    /** For the body of the call. */
    confirm: isNeeded ? ({ confirm: REAL_MONEY_WORDS } as const) : {},
  }
}

/** The words and a fresh proof of who says them, where real money moves at once. */
export function useRealMoneyConsent(isNeeded: boolean) {
  const { areTyped, field, confirm } = useRealMoneyWords(isNeeded)
  const proof = useIdentityProof()
  const isMissing = isNeeded && (!areTyped || proof.missing !== null)
  return {
    field: isNeeded && (
      <FieldRow columns="1fr 1fr">
        {field}
        {proof.field}
      </FieldRow>
    ),
    disabledReason: isMissing ? `Type the words and the ${proof.missing ?? 'code'} first` : undefined,
    /** Proves it where that is needed; answers what the body of the call says. */
    async give() {
      if (isNeeded) await proof.give()
      return confirm
    },
  }
}

export interface Consequence {
  readonly icon: LucideIcon
  readonly text: ReactNode
}

/** What a press will lead to, point by point. */
export const WhatHappens = ({ title, points }: { title: string; points: readonly Consequence[] }) => (
  <section aria-label={title}>
    <SmallHead>{title}</SmallHead>
    <Column as="ul" gap={1} className={layout.list}>
      {points.map(({ icon: Icon, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the points of a dialog never change their order
        <Row as="li" key={index} gap={1.25} align="start">
          <Icon size={16} color="var(--text2)" style={{ flexShrink: 0, marginTop: 1 }} />
          <Text as="span" size="small" tone="text2" className={css.words}>
            {text}
          </Text>
        </Row>
      ))}
    </Column>
  </section>
)

export const SmallHead = ({ children }: { children: ReactNode }) => (
  <Text as="h3" size="label" tone="text2" style={{ marginBottom: 8 }}>
    {children}
  </Text>
)
