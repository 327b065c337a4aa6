import { TriangleAlert } from 'lucide-react'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Text } from '#kit/ui/text.tsx'
import { MOST_CANDLES } from './dataset-window.ts'
import type { DataChoice } from './use-data-choice.ts'

export interface CandleCountsProps {
  counts: DataChoice['counts']
  /** Candles that a training needs at least, where the range has fewer; else null. */
  fewest: number | null
}

/** How many candles the range has, how many rows its export has, and whether they are enough to train on. */
export function CandleCounts({ counts, fewest }: CandleCountsProps) {
  const isTooShort = fewest !== null
  return (
    <div style={{ flex: '1 1 320px', minWidth: 0 }}>
      <Text size="small" tone="text2">
        Candles by range <span style={{ color: colors.text, fontWeight: 600 }}>{formatCount(counts.candles)}</span>
        {counts.candles > 0 && (
          <span style={{ color: colors.text3 }}>
            {' '}
            · export has {formatCounted(counts.rows, 'row')}
            {counts.candles === MOST_CANDLES && ', the newest of the range'}
          </span>
        )}
      </Text>
      <Text
        size="small"
        tone={isTooShort ? 'warn' : 'text2'}
        above={0.5}
        style={{ display: 'flex', alignItems: 'flex-start', gap: 6 }}
      >
        <TriangleAlert size={14} aria-hidden style={{ marginTop: 2, flexShrink: 0 }} />
        <span>Training uses a candle count: last 400 + warmup ≈99 excluded</span>
      </Text>
      {isTooShort && (
        <Text size="small" tone="text2" above={0.5}>
          Too few to train on ({formatCount(fewest)} at least): Train latest takes the newest{' '}
          {formatCount(MOST_CANDLES)} candles.
        </Text>
      )}
    </div>
  )
}
