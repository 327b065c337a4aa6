import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { MarketAgo } from '#entities/markets/market-ago.tsx'
import { formatMoneyUnit, formatPrice } from '#kit/format/money.ts'
import { formatBps } from '#kit/format/percent.ts'
import type { Fact } from '#kit/ui/facts.tsx'
import { Text } from '#kit/ui/text.tsx'
import type { TradeTicketState } from './use-trade-ticket.ts'

/** What an order comes to: price, worth, costs, and what is left. */
export function ticketFacts({ isVirtual, market, ticker, last, free, form, found }: TradeTicketState): Fact[] {
  const { side, type, price } = form.values
  return [
    {
      label: type === 'market' ? 'Price, about' : 'Price',
      value: (
        <>
          {type === 'market' ? formatPrice(last, market?.tickSize) : formatPrice(price, market?.tickSize)}
          {type === 'market' && ticker !== undefined && (
            <Text as="span" size="small" tone="text2">
              {' '}
              · <MarketAgo ms={ticker.timestamp} />
            </Text>
          )}
        </>
      ),
    },
    { label: 'Worth', value: formatMoneyUnit(found?.worth, 'USDT') },
    ...(isVirtual
      ? [
          ...(type === 'market' ? [{ label: 'Slippage, about', value: formatMoneyUnit(found?.slippage, 'USDT') }] : []),
          { label: `Fee ${formatBps(10_000 * BACKTEST_DEFAULTS.feeRate)}`, value: formatMoneyUnit(found?.fee, 'USDT') },
          { label: side === 'buy' ? 'It costs' : 'It brings', value: formatMoneyUnit(found?.total, 'USDT') },
          ...(side === 'buy'
            ? [
                {
                  label: 'Free afterwards',
                  value: formatMoneyUnit(found && found.total <= free ? free - found.total : null, 'USDT'),
                },
              ]
            : []),
        ]
      : [{ label: 'Fee', value: 'as the exchange takes it' }]),
  ]
}
