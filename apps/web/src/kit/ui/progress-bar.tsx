import { useId } from 'react'
import { Row, Text } from './primitives.tsx'
import css from './progress-bar.module.css'

/** Done in whole percent, 0 to 100; 0 while the total is not known. */
export const progressPct = (current: number, total: number): number =>
  total > 0 ? Math.round(Math.min(1, Math.max(0, current / total)) * 100) : 0

/** A 4 px line, filled as far as something is done; without `pct` it moves, since nobody knows how far. */
export function ProgressLine({ pct, ...rest }: { pct?: number; 'aria-label'?: string; 'aria-labelledby'?: string }) {
  const donePct = pct === undefined ? undefined : Math.min(100, Math.max(0, pct))
  return (
    <span
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={donePct === undefined ? undefined : Math.round(donePct)}
      {...rest}
      className={css.line}
    >
      <span
        className={donePct === undefined ? css.moving : css.done}
        {...(donePct !== undefined && { style: { transform: `translateX(${donePct - 100}%)` } })}
      />
    </span>
  )
}

/** A progress line with words ('Running, 446 of 720 candles') and percent. */
export function ProgressBar({ words, pct }: { words: string; pct: number }) {
  const wordsId = useId()
  return (
    <div>
      <Row gap={2} between style={{ marginBottom: 6 }}>
        <Text as="span" size="label" tone="text2" id={wordsId} aria-live="polite">
          {words}
        </Text>
        <Text as="span" size="label" tone={pct > 0 ? 'text' : 'text2'}>
          {Math.round(pct)}%
        </Text>
      </Row>
      <ProgressLine pct={pct} aria-labelledby={wordsId} />
    </div>
  )
}
