import type { Market } from '@shapecast/contracts/market'
import { formatPrice } from '#kit/format/money.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { colors } from '#kit/theme/tokens.ts'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import css from './preview-cards.module.css'
import type { Preview, SignalCounts } from './use-preview.ts'

function signalsText({ buy, sell, hold, trainedOn }: SignalCounts): string {
  const all = buy + sell + hold
  const seen = trainedOn === 0 ? '' : `, ${formatCount(trainedOn)} of ${formatCount(all)} in-sample`
  return `Signals: BUY ${formatCount(buy)} · SELL ${formatCount(sell)} · HOLD ${formatCount(hold)}${seen}`
}

function PreviewCard({ preview: { dataset, signals }, market }: { preview: Preview; market: Market | undefined }) {
  const price = (value: number) => formatPrice(value, market?.tickSize)
  return (
    <li className={css.well}>
      <Row gap={1} align="stretch" between>
        <Text weight={500}>{dataset.symbol}</Text>
        {dataset.candles > 0 && (
          <Text as="span" size="small" tone="text2" style={{ whiteSpace: 'nowrap' }}>
            <span style={{ color: colors.text, fontWeight: 500 }}>{formatCount(dataset.candles)}</span> candles
          </Text>
        )}
      </Row>
      {dataset.candles === 0 || dataset.first === null ? (
        <Text size="small" tone="text2" above={1.25}>
          No data
        </Text>
      ) : (
        <Note tone="text2" above={0.5} style={{ lineHeight: '20px' }}>
          <div>
            {formatTableTimeYear(dataset.first)} – {formatTableTimeYear(dataset.last)} {zoneWords()}
          </div>
          {dataset.example !== null && (
            <div>
              First candle: open {price(dataset.example.open)}, close {price(dataset.example.close)}
            </div>
          )}
          {signals !== null && <div>{signalsText(signals)}</div>}
        </Note>
      )}
    </li>
  )
}

/** What the range holds, coin by coin. */
export const PreviewCards = ({
  previews,
  marketOf,
}: {
  previews: readonly Preview[]
  marketOf: (symbol: string) => Market | undefined
}) => (
  <ul aria-label="Preview" className={`${layout.list} ${css.grid}`}>
    {previews.map((preview) => (
      <PreviewCard key={preview.dataset.symbol} preview={preview} market={marketOf(preview.dataset.symbol)} />
    ))}
  </ul>
)

export const PreviewSkeleton = ({ coins }: { coins: readonly string[] }) => (
  <SkeletonGroup label="Loading the preview">
    <div className={`${layout.list} ${css.grid}`}>
      {coins.map((coin) => (
        <SkeletonBox key={coin} height={82} />
      ))}
    </div>
  </SkeletonGroup>
)
