import layout from '#kit/ui/layout.module.css'
import { Note, Row } from '#kit/ui/primitives.tsx'
import { LegendPattern, type Pattern } from '../legend-pattern.tsx'

export interface LegendItem {
  readonly pattern: Pattern
  readonly word: string
}

export const BACKTEST_LEGEND: readonly LegendItem[] = [
  { pattern: 'long_entry', word: 'Long Entry' },
  { pattern: 'short_entry', word: 'Short Entry' },
  { pattern: 'profit_exit', word: 'Profitable Exit' },
  { pattern: 'loss_exit', word: 'Loss Exit' },
  { pattern: 'equity', word: 'Equity Curve' },
  { pattern: 'lstm', word: 'LSTM Prediction' },
]

/** Which mark on the chart is what: the mark itself and its word. */
export function ChartLegend({ items }: { items: readonly LegendItem[] }) {
  return (
    <Row as="ul" gap={2} wrap aria-label="Legend" className={layout.list} style={{ rowGap: 4 }}>
      {items.map(({ pattern, word }) => (
        <Row as="li" gap={0.75} key={word}>
          <LegendPattern pattern={pattern} />
          <Note as="span" tone="text2">
            {word}
          </Note>
        </Row>
      ))}
    </Row>
  )
}
