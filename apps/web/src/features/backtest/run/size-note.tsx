import { TriangleAlert } from 'lucide-react'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { formatMoney, formatMoneyUnit } from '#kit/format/money.ts'
import { formatFixed, formatLeverage, formatUpTo } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button } from '#kit/ui/button.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { type Parameters, type SizeWorth, sizeWorth } from './parameters.ts'
import css from './parameters-panel.module.css'
import { useBacktest } from './use-backtest.ts'
import { assetsOf } from './use-parameters.ts'

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
export function SizeNote() {
  const { form, test } = useBacktest()
  const { parameters } = test
  const { found, base, quote } = useSizeWorth(parameters)
  if (found === null) return null
  const isRisky = found.ratio > 1
  return (
    <Row gap={0.75} align="stretch" above={-0.75} style={{ color: isRisky ? colors.warn : colors.text3 }}>
      {isRisky && <TriangleAlert size={14} aria-hidden style={{ flexShrink: 0, marginTop: 1 }} />}
      <Text as="div" size="label" weight={400} role="status">
        <Text size="label">{worthWords(found, quote)} balance</Text>
        {isRisky && (
          <>
            <br />
            {found.cutSize !== null && (
              <Text as="strong" size="label" weight={600}>
                {formatMoneyUnit(parameters.initialBalance, quote)} at {formatLeverage(parameters.leverage)} carries no
                more: positions are cut to about {formatUpTo(found.cutSize, 8)} {base}.{' '}
              </Text>
            )}
            A move of {formatFixed(found.limitMovePct, 1)}% against it{' '}
            {parameters.maxDrawdownPct === 0 ? 'takes the whole balance' : 'reaches the drawdown limit'}.{' '}
            {found.onceSize > 0 && (
              <Button
                variant="text"
                size="small"
                onClick={() => form.change({ positionSize: found.onceSize })}
                className={css.once}
                style={{ height: 18, paddingInline: 0 }}
              >
                Use 1×: {formatUpTo(found.onceSize, 8)} {base}
              </Button>
            )}
          </>
        )}
      </Text>
    </Row>
  )
}
