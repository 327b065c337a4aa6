import { Box, Button, Typography } from '@mui/material'
import { TriangleAlert } from 'lucide-react'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { formatMoney, formatMoneyUnit } from '#kit/format/money.ts'
import { formatFixed, formatLeverage, formatUpTo } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { assetsOf } from './options.ts'
import type { Parameters } from './parameters.ts'
import { type SizeWorth, sizeWorth } from './size-worth.ts'

/** What the chosen size is worth at the present price, and the names of both assets. */
export function useSizeWorth(parameters: Parameters) {
  const symbol = parameters.symbol ?? 'BTCUSDT'
  const market = useMarketOf(symbol)
  const price = useTicker(symbol).data?.last
  return { found: sizeWorth(parameters, price, market?.lotSize), ...assetsOf(symbol, market) }
}

/** `≈ 970.00 USDT · 9.7×` of the balance. */
export const worthWords = ({ worth, ratio }: SizeWorth, quote: string): string =>
  `≈ ${formatMoney(worth)} ${quote} · ${formatFixed(ratio, 1)}×`

/** What the position is worth now; in amber, with a way out, where it is more than the balance. */
export function SizeNote({
  parameters,
  change,
}: {
  parameters: Parameters
  change: (change: Partial<Parameters>) => void
}) {
  const { found, base, quote } = useSizeWorth(parameters)
  if (found === null) return null
  const isRisky = found.ratio > 1
  return (
    <Box sx={{ mt: -0.75, display: 'flex', gap: 0.75, color: isRisky ? colors.warn : colors.text3 }}>
      {isRisky && <Box component={TriangleAlert} size={14} aria-hidden sx={{ mt: '1px', flexShrink: 0 }} />}
      <Typography variant="label" component="div" role="status" sx={{ fontWeight: 400 }}>
        <Box component="span" sx={{ fontWeight: 500 }}>
          {worthWords(found, quote)} balance
        </Box>
        {isRisky && (
          <>
            <br />
            {found.cutSize !== null && (
              <Box component="strong" sx={{ fontWeight: 600 }}>
                {formatMoneyUnit(parameters.initialBalance, quote)} at {formatLeverage(parameters.leverage)} carries no
                more: positions are cut to about {formatUpTo(found.cutSize, 8)} {base}.{' '}
              </Box>
            )}
            A move of {formatFixed(found.limitMovePct, 1)}% against it{' '}
            {parameters.maxDrawdownPct === 0 ? 'takes the whole balance' : 'reaches the drawdown limit'}.{' '}
            {found.onceSize > 0 && (
              <Button
                variant="text"
                size="small"
                onClick={() => change({ positionSize: found.onceSize })}
                sx={{ height: 18, px: 0, color: colors.accent }}
              >
                Use 1×: {formatUpTo(found.onceSize, 8)} {base}
              </Button>
            )}
          </>
        )}
      </Typography>
    </Box>
  )
}
