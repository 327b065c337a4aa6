import type { SearchResult } from '@shapecast/contracts/search'
import { PlotFrame } from '#charts/plots/plot-frame.tsx'
import { roundAxis } from '#charts/plots/scales.ts'
import { formatCount, formatFixed } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { spreadOf } from './search-words.ts'

const LUCK = { stroke: colors.warn, strokeWidth: 2 } as const
const GAP_PX = 1

/** How the ratios of all combinations spread, with what luck reaches and the best. */
export function SearchSpread({ result }: { result: SearchResult }) {
  const { points, luck, best } = result
  const bins = spreadOf(points.sharpe)
  const known = bins.reduce((sum, { count }) => sum + count, 0)
  const from = Math.min(bins[0]!.from, luck.sharpe)
  const to = Math.max(bins.at(-1)!.to, luck.sharpe)
  const x = roundAxis([from, to], 5, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
  return (
    <Card title={`All ${formatCount(known)}`} facts="Sharpe, searched part">
      <PlotFrame
        label="How many combinations have which Sharpe ratio"
        xTitle=""
        x={x}
        y={roundAxis([0, ...bins.map(({ count }) => count)], 3, [0, Number.POSITIVE_INFINITY])}
        formatX={(value) => formatFixed(value, 1)}
        formatY={formatCount}
        legend={[
          { word: `luck ${formatFixed(luck.sharpe, 2)}`, mark: <path d="M9 0v10" {...LUCK} /> },
          { word: `best ${formatFixed(best.sharpe, 2)}`, mark: <circle cx="9" cy="5" r="3.5" fill={colors.text} /> },
        ]}
        heads={['Sharpe', 'Combinations']}
        rows={bins.map((bin) => ({
          key: bin.from,
          cells: [`${formatFixed(bin.from, 2)} to ${formatFixed(bin.to, 2)}`, formatCount(bin.count)],
        }))}
      >
        {({ x: left, y, bottomPx }) => (
          <>
            {bins.map((bin) => (
              <rect
                key={bin.from}
                x={left(bin.from)}
                width={Math.max(1, left(bin.to) - left(bin.from) - GAP_PX)}
                y={y(bin.count)}
                height={bottomPx - y(bin.count)}
                fill={colors.text3}
                opacity={0.6}
              />
            ))}
            <line x1={left(luck.sharpe)} x2={left(luck.sharpe)} y1={8} y2={bottomPx} {...LUCK} />
            <circle cx={left(best.sharpe)} cy={bottomPx - 6} r={3.5} fill={colors.text} />
          </>
        )}
      </PlotFrame>
    </Card>
  )
}
