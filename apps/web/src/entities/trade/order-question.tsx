import type { OrderDraft } from '@shapecast/contracts/accounts'
import { useState } from 'react'
import { formatPrice } from '#kit/format/money.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Dialog, DialogActions } from '#kit/ui/dialog.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import { Column, Text } from '#kit/ui/primitives.tsx'

/** So far the price may go from what was read, ratio. */
const MOST_MOVED = 0.005

/** Asks before an order is sent; again where the price has moved on while it was read. */
export function OrderQuestion({
  title,
  draft,
  facts,
  price,
  tickSize,
  isBusy,
  error,
  onSend,
  onClose,
}: {
  title: string
  draft: OrderDraft
  facts: readonly Fact[]
  /** Of the moment, quote per base. */
  price: number | null
  tickSize: number | undefined
  isBusy: boolean
  error: string | undefined
  onSend: () => void
  onClose: () => void
}) {
  const [read, setRead] = useState(price)
  const [hasMoved, setHasMoved] = useState(false)
  const send = () => {
    if (draft.type === 'limit' || read === null || price === null || Math.abs(price / read - 1) <= MOST_MOVED)
      return onSend()
    setRead(price)
    setHasMoved(true)
  }
  const kind = draft.type === 'market' ? 'market order' : `limit order at ${formatPrice(draft.price, tickSize)}`
  return (
    <Dialog
      title={`${title}?`}
      subtitle={`${draft.isVirtual ? 'Virtual account' : 'Real money'} · ${kind}`}
      onClose={onClose}
      actions={
        <DialogActions
          label={isBusy ? 'Sending…' : title}
          tone={draft.isVirtual ? 'contained' : 'danger'}
          isBusy={isBusy}
          onCancel={onClose}
          onConfirm={send}
        />
      }
    >
      <Column gap={2}>
        <Facts facts={facts} />
        <Text size="small" tone="text2">
          {draft.type === 'market'
            ? 'The price may move before it is filled. If it is more than 0.5% away, you are asked again.'
            : 'It waits until the price gets there, or until it is cancelled.'}
        </Text>
        {hasMoved && (
          <Banner kind="warning" title="The price has moved by more than 0.5%. Look again before it is sent." />
        )}
        {error !== undefined && <Banner kind="error" title={error} />}
      </Column>
    </Dialog>
  )
}
