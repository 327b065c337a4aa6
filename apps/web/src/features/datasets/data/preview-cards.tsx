import { Box, Typography } from '@mui/material'
import type { Market } from '@shapecast/contracts/market'
import { formatPrice } from '#kit/format/money.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { colors } from '#kit/theme/tokens.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import type { Preview, SignalCounts } from './use-preview.ts'

const grid = {
  display: 'grid',
  gap: 1.5,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' },
  m: 0,
  p: 0,
  listStyle: 'none',
} as const
const well = { px: 1.5, py: 1.25, minHeight: 82, backgroundColor: colors.well, borderRadius: 1 } as const

function signalsText({ buy, sell, hold, trainedOn }: SignalCounts): string {
  const all = buy + sell + hold
  const seen = trainedOn === 0 ? '' : `, ${formatCount(trainedOn)} of ${formatCount(all)} in-sample`
  return `Signals: BUY ${formatCount(buy)} · SELL ${formatCount(sell)} · HOLD ${formatCount(hold)}${seen}`
}

function PreviewCard({ preview: { dataset, signals }, market }: { preview: Preview; market: Market | undefined }) {
  const price = (value: number) => formatPrice(value, market?.tickSize)
  return (
    <Box component="li" sx={well}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
        <Typography sx={{ fontWeight: 500 }}>{dataset.symbol}</Typography>
        {dataset.candles > 0 && (
          <Typography component="span" variant="small" sx={{ color: colors.text2, whiteSpace: 'nowrap' }}>
            <Box component="span" sx={{ color: colors.text, fontWeight: 500 }}>
              {formatCount(dataset.candles)}
            </Box>{' '}
            candles
          </Typography>
        )}
      </Box>
      {dataset.candles === 0 || dataset.first === null ? (
        <Typography variant="small" sx={{ mt: 1.25, color: colors.text2 }}>
          No data
        </Typography>
      ) : (
        <Typography
          component="div"
          variant="label"
          sx={{ mt: 0.5, fontWeight: 400, lineHeight: '20px', color: colors.text2 }}
        >
          <div>
            {formatTableTimeYear(dataset.first)} – {formatTableTimeYear(dataset.last)} {zoneWords()}
          </div>
          {dataset.example !== null && (
            <div>
              First candle: open {price(dataset.example.open)}, close {price(dataset.example.close)}
            </div>
          )}
          {signals !== null && <div>{signalsText(signals)}</div>}
        </Typography>
      )}
    </Box>
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
  <Box component="ul" aria-label="Preview" sx={grid}>
    {previews.map((preview) => (
      <PreviewCard key={preview.dataset.symbol} preview={preview} market={marketOf(preview.dataset.symbol)} />
    ))}
  </Box>
)

export const PreviewSkeleton = ({ coins }: { coins: readonly string[] }) => (
  <SkeletonGroup label="Loading the preview">
    <Box sx={grid}>
      {coins.map((coin) => (
        <SkeletonBox key={coin} height={82} />
      ))}
    </Box>
  </SkeletonGroup>
)
