import { killBots } from '@shapecast/contracts/bot-changes'
import type { BotPosition } from '@shapecast/contracts/bots'
import type { RealTradingState } from '@shapecast/contracts/real-bots'
import { Ban, ListX, Square } from 'lucide-react'
import { useState } from 'react'
import { Pnl } from '#entities/bots/position-columns.tsx'
import { useBots } from '#entities/bots/use-bots.ts'
import { formatMoney, formatMoneyUnit, formatQuantity } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Choice, Choices } from '#kit/ui/choice.tsx'
import { DataTable, type Column as TableColumn } from '#kit/ui/data-table.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Column } from '#kit/ui/primitives.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { call } from '#wire/calls/client.ts'
import { errorText } from '#wire/calls/error-text.ts'
import { SmallHead, useRealMoneyConsent, WhatHappens } from './real-money-words.tsx'
import { useRealTradingChange } from './use-real-trading.ts'

const WIDTH_PX = 600
const MOST_REASON = 200
/** What a real bot holds, with what that is worth as far as its bot is seen here. */
type Held = RealTradingState['positions'][number] & { readonly now: BotPosition | undefined }

/** Asks once, and no code: stopping must be quick. Only selling what the bots hold takes the words and a code. */
export function KillSwitchDialog({ state, onClose }: { state: RealTradingState | undefined; onClose: () => void }) {
  const [positions, setPositions] = useState<'keep' | 'close'>('keep')
  const [reason, setReason] = useState('')
  const { data: all = [] } = useBots()
  const held = state?.positions.map((one): Held => {
    const bot = all.find(({ id }) => id === one.botId)
    return { ...one, now: bot?.positions.find(({ symbol }) => symbol === one.symbol) }
  })
  const worth = held?.every(({ now }) => now !== undefined) ? held.reduce((sum, { now }) => sum + now!.worth, 0) : null
  const close = positions === 'close'
  const consent = useRealMoneyConsent(close)
  const kill = useRealTradingChange(async () => {
    const why = reason.trim() === '' ? {} : { reason: reason.trim() }
    return call(killBots, { body: { close, ...(await consent.give()), ...why } })
  }, onClose)
  return (
    <ConfirmDialog
      title="Stop everything at the exchange?"
      subtitle="Kill switch: for all real bots of this installation, at once"
      widthPx={WIDTH_PX}
      confirmLabel={kill.isPending ? 'Stopping…' : 'Stop everything'}
      note={consent.disabledReason ?? (close ? '' : 'No code is asked: stopping must be quick.')}
      disabledReason={consent.disabledReason}
      onConfirm={() => kill.mutate()}
      onClose={onClose}
      busy={kill.isPending}
      subject={
        <Column gap={2}>
          {held !== undefined && held.length > 0 && (
            <DataTable
              label="Positions of real bots"
              columns={POSITIONS}
              rows={held}
              rowKey={({ botId, symbol }) => `${botId} ${symbol}`}
              rowName={({ botName }) => botName}
            />
          )}
          <WhatHappens
            title="What it does, in this order"
            points={[
              {
                icon: Ban,
                text: (
                  <>
                    Real bots may send <b>no new orders</b>, at once and for everybody.
                  </>
                ),
              },
              {
                icon: ListX,
                text: (
                  <>
                    <b>{counted(state?.openOrders, 'open order')}</b> at the exchange
                    {state?.openOrders === 0
                      ? ' now: one that is on its way is cancelled.'
                      : ': cancelled, stop-losses too.'}
                  </>
                ),
              },
              {
                icon: Square,
                text: (
                  <>
                    <b>{counted(state?.activeBots, 'real bot')}</b> stopped. Virtual bots, backtests and training go on.
                  </>
                ),
              },
            ]}
          />
          {held?.length !== 0 && (
            <section aria-label="Positions">
              <SmallHead>Positions</SmallHead>
              <Choices label="Positions" value={positions} onChange={setPositions}>
                <Choice value="keep" title="Keep positions">
                  They stay at the exchange without their stops: watch them there.
                </Choice>
                <Choice value="close" title="Close positions">
                  Closes what the bots hold at the market{worth !== null && `, about ${formatMoneyUnit(worth, 'USDT')}`}
                  . In a fast market the price may be far worse.
                </Choice>
              </Choices>
            </section>
          )}
          <TextField
            label="Reason (optional)"
            value={reason}
            onChange={({ target }) => setReason(target.value.slice(0, MOST_REASON))}
            help="Other admins, the owners of the bots and the audit see it."
          />
          {consent.field}
          {kill.isError && (
            <Banner kind="error" title={errorText(kill.error, 'The server does not answer. Try again.')}>
              Real bots may still trade. If it goes on, cancel the orders at the exchange.
            </Banner>
          )}
        </Column>
      }
    />
  )
}

const counted = (count: number | undefined, one: string) =>
  count === undefined ? `All ${one}s` : count === 0 ? `No ${one}` : formatCounted(count, one)

const POSITIONS: readonly TableColumn<Held>[] = [
  { head: 'Real bot', keep: true, cell: ({ botName }) => botName },
  { head: 'Pair', quiet: true, keep: true, cell: ({ symbol }) => symbol },
  {
    head: 'Holds',
    figure: true,
    keep: true,
    cell: ({ quantity }) => `${quantity < 0 ? 'short ' : ''}${formatQuantity(Math.abs(quantity))}`,
  },
  { head: 'Worth, USDT', figure: true, cell: ({ now }) => formatMoney(now?.worth) },
  { head: 'Price P&L, USDT', figure: true, cell: ({ now }) => <Pnl value={now?.unrealizedPnL ?? null} /> },
]
