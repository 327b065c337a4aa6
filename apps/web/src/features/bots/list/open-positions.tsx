import type { Bot } from '@shapecast/contracts/bots'
import { exportBotPositions } from '@shapecast/contracts/portfolio'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import {
  type HeldByBot,
  openWords,
  Pnl,
  positionColumns,
  positionSums,
  positionsOf,
} from '#entities/bots/position-columns.tsx'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatMoney } from '#kit/format/money.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/primitives.tsx'
import { file } from '#wire/calls/client.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { ClosePositionButton } from '../menu/bot-actions.tsx'
import css from './bots-table.module.css'

/** All that the reader's bots hold, the largest first, virtual and real money apart. */
export function OpenPositions({ own, onOpen }: { own: readonly Bot[]; onOpen: (id: string) => void }) {
  const marketOf = useMarketFinder()
  const rows = positionsOf(own)
  if (rows.length === 0) return null
  const columns: Column<HeldByBot>[] = [
    {
      head: 'Bot',
      keep: true,
      cell: ({ bot }) => (
        <Row as="span" gap={1} style={{ display: 'inline-flex' }}>
          <button type="button" className={`${css.press} ${layout.touchAlone}`} onClick={() => onOpen(bot.id)}>
            <strong style={{ fontWeight: 500 }}>{bot.name}</strong>
          </button>
          {!bot.isVirtual && <MoneyChip isVirtual={false} />}
        </Row>
      ),
    },
    ...positionColumns(marketOf),
    { head: 'Worth, USDT', figure: true, cell: ({ position }) => formatMoney(position.worth) },
    {
      head: 'Price P&L, USDT',
      figure: true,
      keep: true,
      cell: ({ position }) => <Pnl value={position.unrealizedPnL} />,
    },
    {
      head: 'Close',
      keep: true,
      cell: ({ bot, position }) => <ClosePositionButton bot={bot} position={position} label="Close" />,
    },
  ]
  return (
    <Card
      title="Open positions"
      facts={`${openWords(rows)} · Close trades at the market, the bot goes on`}
      flush
      actions={<CsvButton of="positions" label="CSV of the positions" fetchFile={() => file(exportBotPositions, {})} />}
    >
      <DataTable
        label="Open positions"
        columns={columns}
        rows={rows}
        sums={positionSums(rows)}
        rowKey={({ bot, position }) => `${bot.id} ${position.symbol}`}
        rowName={({ bot, position }) => `${bot.name}, ${position.symbol}`}
      />
    </Card>
  )
}
