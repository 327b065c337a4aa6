import type { Bot, BotPosition } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import type { ReactNode } from 'react'
import {
  formatMoney,
  formatMoneyUnit,
  formatPnl,
  formatPnlUnit,
  formatPrice,
  formatQuantityAsset,
} from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import type { Column } from '#kit/ui/data-table.tsx'
import type { Fact } from '#kit/ui/facts.tsx'
import { Text, toneOf } from '#kit/ui/primitives.tsx'
import { MarketAgo } from '../markets/market-ago.tsx'
import { SideMark } from './bot-chips.tsx'

/** A position with the bot that holds it. */
export interface HeldByBot {
  readonly bot: Bot
  readonly position: BotPosition
}

/** All that bots hold, the largest first. */
export const positionsOf = (own: readonly Bot[]): HeldByBot[] =>
  own
    .flatMap((bot) => bot.positions.map((position) => ({ bot, position })))
    .sort((a, b) => b.position.worth - a.position.worth)

/** `8 positions · virtual +2,048.03, real +153.28 USDT before fees`: the two are never added. */
export function openWords(rows: readonly HeldByBot[]): string {
  const sums = [true, false].flatMap((isVirtual) => {
    const held = rows.filter(({ bot }) => bot.isVirtual === isVirtual)
    const sum = held.reduce((total, { position }) => total + position.unrealizedPnL, 0)
    return held.length === 0 ? [] : [`${isVirtual ? 'virtual' : 'real'} ${formatPnl(sum)}`]
  })
  return `${formatCounted(rows.length, 'position')} · ${sums.join(', ')} USDT before fees`
}

/** The sums at the foot of several positions with one kind of money, of virtual ones where there are both; undefined of fewer. */
export function positionSums(
  rows: readonly HeldByBot[],
): { words: ReactNode; of: Record<string, ReactNode> } | undefined {
  const virtual = rows.filter(({ bot }) => bot.isVirtual)
  const summed = virtual.length > 0 ? virtual : rows
  if (summed.length < 2) return undefined
  const sum = (of: (position: BotPosition) => number) => summed.reduce((total, { position }) => total + of(position), 0)
  const sideWords = (['long', 'short'] as const).flatMap((side) => {
    const worth = sum((position) => (position.side === side ? position.worth : 0))
    return worth === 0 ? [] : [`${side} ${formatMoney(worth)}`]
  })
  return {
    words: (
      <>
        {virtual.length > 0 ? 'Virtual' : 'Real money'} together{' '}
        <Text as="span" size="small" tone="text2">
          {formatCounted(summed.length, 'position')} · {sideWords.join(', ')}
          {summed.length < rows.length && ' · real money apart'}
        </Text>
      </>
    ),
    of: {
      'Worth, USDT': formatMoney(sum(({ worth }) => worth)),
      'Price P&L, USDT': <Pnl value={sum(({ unrealizedPnL }) => unrealizedPnL)} />,
    },
  }
}

/** Money that was made, in its colour. */
export const Pnl = ({ value }: { value: number | null }) => (
  <Text as="span" size="small" weight={500} tone={toneOf(value)}>
    {formatPnl(value)}
  </Text>
)

/** What a sale of it would bring: the price and its age, where that is known, worth and what it has made. */
export const sellingFacts = ({
  price,
  priceAt,
  quantity,
  pnl,
  tickSize,
}: Record<'price' | 'priceAt' | 'pnl', number | null> & { quantity: number; tickSize: number | undefined }): Fact[] => [
  {
    label: 'Price, about',
    value: (
      <>
        {formatPrice(price, tickSize)}
        {priceAt !== null && (
          <Text as="span" size="small" tone="text2">
            {' '}
            · <MarketAgo ms={priceAt} />
          </Text>
        )}
      </>
    ),
  },
  { label: 'Worth', value: formatMoneyUnit(price === null ? null : quantity * price, 'USDT') },
  { label: 'Price P&L, before fees', value: formatPnlUnit(pnl, 'USDT') },
]

/** What is held, for how much it was bought and what it costs now. */
export function positionColumns(marketOf: (symbol: string) => Market | undefined): Column<HeldByBot>[] {
  const price = (symbol: string, value: number | null) => formatPrice(value, marketOf(symbol)?.tickSize)
  return [
    { head: 'Pair', quiet: true, cell: ({ position }) => position.symbol },
    { head: 'Side', keep: true, cell: ({ position }) => <SideMark side={position.side} /> },
    {
      head: 'Size',
      figure: true,
      cell: ({ position }) =>
        formatQuantityAsset(position.quantity, marketOf(position.symbol)?.base ?? position.symbol),
    },
    { head: 'Entry', figure: true, cell: ({ position }) => price(position.symbol, position.entryPrice) },
    { head: 'Live price', figure: true, cell: ({ position }) => price(position.symbol, position.markPrice) },
    {
      head: 'Price change',
      figure: true,
      cell: ({ position: { entryPrice, markPrice } }) => formatChangePct((100 * (markPrice - entryPrice)) / entryPrice),
    },
    {
      head: 'Stop / target',
      figure: true,
      quiet: true,
      cell: ({ position: { symbol, stopLossPrice, takeProfitPrice } }) =>
        stopLossPrice === null && takeProfitPrice === null
          ? 'none'
          : `${price(symbol, stopLossPrice)} / ${price(symbol, takeProfitPrice)}`,
    },
    { head: 'Opened', figure: true, quiet: true, cell: ({ position }) => <MarketAgo ms={position.entryTime} /> },
  ]
}
