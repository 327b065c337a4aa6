import layout from '#kit/ui/layout.module.css'
import { Column, Row } from '#kit/ui/layout.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import css from './gauge.module.css'

export interface GaugeProps {
  label: string
  value: number
  /** The value as it is written. */
  text: string
  from: number
  to: number
  /** What is usual: the shaded part of the track. */
  usual: readonly [low: number, high: number]
  lowWord: string
  highWord: string
}

/** A figure on its track: where it stands between low and high, and which part is usual. */
export function Gauge({ label, value, text, from, to, usual, lowWord, highWord }: GaugeProps) {
  const pctAt = (at: number) => (100 * (Math.min(to, Math.max(from, at)) - from)) / (to - from)
  return (
    <Column
      gap={0.75}
      role="meter"
      aria-label={label}
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={Math.min(to, Math.max(from, value))}
      aria-valuetext={text}
      className={layout.shrinks}
    >
      <Row gap={1} align="stretch" between>
        <Text as="span" size="small" tone="text2">
          {label}
        </Text>
        <Text as="span" weight={600}>
          {text}
        </Text>
      </Row>
      <div aria-hidden className={css.track}>
        <div className={css.usual} style={{ left: `${pctAt(usual[0])}%`, right: `${100 - pctAt(usual[1])}%` }} />
        <div className={css.mark} style={{ left: `clamp(1px, ${pctAt(value)}%, calc(100% - 2px))` }} />
      </div>
      <Row gap={1} align="stretch" between>
        {[lowWord, highWord].map((word) => (
          <Note key={word} as="span">
            {word}
          </Note>
        ))}
      </Row>
    </Column>
  )
}
