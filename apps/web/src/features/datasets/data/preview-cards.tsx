import { previewDataset } from '@shapecast/contracts/datasets'
import type { Market } from '@shapecast/contracts/market'
import { type PredictionRow, predictions } from '@shapecast/contracts/predictions'
import { useMutation } from '@tanstack/react-query'
import { formatPrice } from '#kit/format/money.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { call } from '#wire/calls/client.ts'
import css from './data-form.module.css'
import type { DataChoice } from './use-data-choice.ts'

function signalsText({ buy, sell, hold, trainedOn }: SignalCounts): string {
  const seen = trainedOn === 0 ? '' : `, ${formatCount(trainedOn)} of ${formatCount(buy + sell + hold)} in-sample`
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
  <Columns as="ul" gap={1.5} at={{ md: 3 }} aria-label="Preview" className={layout.list}>
    {previews.map((preview) => (
      <PreviewCard key={preview.dataset.symbol} preview={preview} market={marketOf(preview.dataset.symbol)} />
    ))}
  </Columns>
)

export const PreviewSkeleton = ({ coins }: { coins: readonly string[] }) => (
  <SkeletonGroup label="Loading the preview">
    <Columns gap={1.5} at={{ md: 3 }}>
      {coins.map((coin) => (
        <SkeletonBox key={coin} height={82} />
      ))}
    </Columns>
  </SkeletonGroup>
)

export const MOST_PREVIEWED = 3
const LEAST_PREDICTIONS = 2000
const MOST_PREDICTIONS = 20_000

type SignalCounts = NonNullable<ReturnType<typeof countSignals>>
type Preview = Awaited<ReturnType<typeof previewOf>>

/** Predictions to ask for: at least 2000, or twice the candles. */
export const predictionLimit = (candles: number): number =>
  Math.min(MOST_PREDICTIONS, Math.max(LEAST_PREDICTIONS, 2 * candles))

/** What a model said over a range; null where it said nothing, as one that is not trained on the series. */
export function countSignals(rows: readonly Pick<PredictionRow, 'signal' | 'trainedOn'>[]) {
  if (rows.length === 0) return null
  const of = (signal: PredictionRow['signal']) => rows.filter((row) => row.signal === signal).length
  return {
    buy: of('BUY'),
    sell: of('SELL'),
    hold: of('HOLD'),
    /** Of all of them, those whose outcome the model has learnt from. */
    trainedOn: rows.filter((row) => row.trainedOn).length,
  }
}

type Wanted = Pick<DataChoice, 'coins' | 'timeframe' | 'window' | 'counts' | 'key'>

async function previewOf(symbol: string, { timeframe, window, counts }: Wanted) {
  const range = { from: window.fromMs ?? undefined, to: window.toMs === null ? undefined : window.toMs - 1 }
  const query = { symbol, timeframe, ...range }
  const [dataset, signals] = await Promise.all([
    call(previewDataset, { query }),
    call(predictions, { query: { ...query, limit: predictionLimit(counts.candles) } })
      .then(countSignals)
      .catch(() => null),
  ])
  return { dataset, signals }
}

/** Looks at what the range holds of the first 3 coins. A failure clears what was shown. */
export const usePreview = () =>
  useMutation({
    mutationFn: (wanted: Wanted) =>
      Promise.all(wanted.coins.slice(0, MOST_PREVIEWED).map((symbol) => previewOf(symbol, wanted))),
  })
