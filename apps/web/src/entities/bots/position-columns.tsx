import type { Bot, BotPosition } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { formatPrice, formatQuantityAsset } from '#kit/format/money.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import type { Column } from '#kit/ui/data-table.tsx'
import { SideMark } from './side-mark.tsx'

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

/** What is held, for how much it was bought and what it costs now. */
export function positionColumns(marketOf: (symbol: string) => Market | undefined): Column<HeldByBot>[] {
  const price = (symbol: string, value: number) => formatPrice(value, marketOf(symbol)?.tickSize)
  return [
    { id: 'side', head: 'Side', keep: true, cell: ({ position }) => <SideMark side={position.side} /> },
    {
      id: 'size',
      head: 'Size',
      figure: true,
      cell: ({ position }) =>
        formatQuantityAsset(position.quantity, marketOf(position.symbol)?.base ?? position.symbol),
    },
    { id: 'entry', head: 'Entry', figure: true, cell: ({ position }) => price(position.symbol, position.entryPrice) },
    {
      id: 'price',
      head: 'Live price',
      figure: true,
      cell: ({ position }) => price(position.symbol, position.markPrice),
    },
    {
      id: 'change',
      head: 'Price change',
      figure: true,
      cell: ({ position: { entryPrice, markPrice } }) => formatChangePct((100 * (markPrice - entryPrice)) / entryPrice),
    },
  ]
}
