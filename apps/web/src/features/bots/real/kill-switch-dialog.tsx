import { killBots } from '@shapecast/contracts/bot-changes'
import { REAL_MONEY_WORDS, type RealTradingState } from '@shapecast/contracts/real-bots'
import { Ban, ListX, Square } from 'lucide-react'
import { useState } from 'react'
import { formatQuantity } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Choice, Choices } from '#kit/ui/choice.tsx'
import { DataTable, type Column as TableColumn } from '#kit/ui/data-table.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { DialogActions } from '#kit/ui/dialog-actions.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { call } from '#wire/calls/client.ts'
import { errorText } from '#wire/calls/error-text.ts'
import { useIdentityProof } from '#wire/proof/use-identity-proof.tsx'
import { FieldRow } from '../form/form-section.tsx'
import { areRealMoneyWords, RealMoneyWordsField, SmallHead, WhatHappens } from './real-money-words.tsx'
import { useRealTradingChange } from './use-real-trading.ts'

const WIDTH_PX = 600
type Held = RealTradingState['positions'][number]

/** Asks once, and no code: stopping must be quick. Only selling what the bots hold takes the words and a code. */
export function KillSwitchDialog({ state, onClose }: { state: RealTradingState | undefined; onClose: () => void }) {
  const [positions, setPositions] = useState<'keep' | 'close'>('keep')
  const [words, setWords] = useState('')
  const proof = useIdentityProof()
  const close = positions === 'close'
  const kill = useRealTradingChange(async () => {
    if (close) await proof.give()
    return call(killBots, { body: close ? { close, confirm: REAL_MONEY_WORDS } : { close } })
  }, onClose)
  const disabledReason =
    close && (!areRealMoneyWords(words) || proof.missing !== null)
      ? `Type the words and the ${proof.missing ?? 'code'} first`
      : null
  return (
    <Dialog
      title="Stop everything at the exchange?"
      subtitle="Kill switch: for all real bots of this installation, at once"
      widthPx={WIDTH_PX}
      onClose={onClose}
      actions={
        <DialogActions
          label={kill.isPending ? 'Stopping…' : 'Stop everything'}
          tone="danger"
          note={disabledReason ?? (close ? '' : 'No code is asked: stopping must be quick.')}
          disabledReason={disabledReason}
          isBusy={kill.isPending}
          onCancel={onClose}
          onConfirm={() => kill.mutate()}
        />
      }
    >
      <Column gap={2}>
        {state !== undefined && state.positions.length > 0 && (
          <DataTable
            label="Positions of real bots"
            columns={POSITIONS}
            rows={state.positions}
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
                  <b>{counted(state?.openOrders, 'open order')}</b> at the exchange: cancelled, stop-losses too.
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
        <section aria-label="Positions">
          <SmallHead>Positions</SmallHead>
          <Choices label="Positions" value={positions} onChange={setPositions}>
            <Choice value="keep" isChosen={!close} title="Keep positions">
              They stay at the exchange without their stops: watch them there.
            </Choice>
            <Choice value="close" isChosen={close} title="Close positions">
              Sells what the bots hold at the market. In a fast market the price may be far worse.
            </Choice>
          </Choices>
        </section>
        {close && (
          <FieldRow columns="1fr 1fr">
            <RealMoneyWordsField value={words} onChange={setWords} />
            {proof.field}
          </FieldRow>
        )}
        {kill.isError && (
          <Banner kind="error" title={errorText(kill.error, 'The server does not answer. Try again.')}>
            Real bots may still trade. If it goes on, cancel the orders at the exchange.
          </Banner>
        )}
      </Column>
    </Dialog>
  )
}

const counted = (count: number | undefined, one: string) =>
  count === undefined ? `All ${one}s` : formatCounted(count, one)

const POSITIONS: readonly TableColumn<Held>[] = [
  { id: 'bot', head: 'Real bot', keep: true, cell: ({ botName }) => botName },
  { id: 'pair', head: 'Pair', quiet: true, keep: true, cell: ({ symbol }) => symbol },
  { id: 'held', head: 'Holds', figure: true, keep: true, cell: ({ quantity }) => formatQuantity(quantity) },
]
