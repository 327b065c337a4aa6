import { LinearProgress } from '@mui/material'
import { useId } from 'react'
import css from './progress-bar.module.css'
import { Text } from './text.tsx'

/** A 4 px bar with words ('Running, 446 of 720 candles') and percent. */
export function ProgressBar({ words, pct }: { words: string; pct: number }) {
  const wordsId = useId()
  return (
    <div>
      <div className={css.head}>
        <Text as="span" size="label" tone="text2" id={wordsId} aria-live="polite">
          {words}
        </Text>
        <Text as="span" size="label" tone={pct > 0 ? 'text' : 'text2'}>
          {Math.round(pct)}%
        </Text>
      </div>
      <LinearProgress variant="determinate" value={Math.min(100, Math.max(0, pct))} aria-labelledby={wordsId} />
    </div>
  )
}
