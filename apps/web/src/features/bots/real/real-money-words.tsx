import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import layout from '#kit/ui/layout.module.css'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import css from '../form/bot-form.module.css'

/** Takes the words that a person writes before real money moves. */
export const RealMoneyWordsField = ({ value, onChange }: { value: string; onChange: (words: string) => void }) => (
  <TextField
    label={`Type ‘${REAL_MONEY_WORDS}’`}
    autoComplete="off"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
)

export const areRealMoneyWords = (typed: string): boolean => typed.trim().toLowerCase() === REAL_MONEY_WORDS

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
