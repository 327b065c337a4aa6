import { allowRealTrading, killBots } from '@shapecast/contracts/bot-changes'
import type { RealTradingState } from '@shapecast/contracts/real-bots'
import { useState } from 'react'
import { formatQuantity } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton, LinkButton } from '#kit/ui/button.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Row } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { call } from '#wire/calls/client.ts'
import { useIdentityProof } from '#wire/proof/use-identity-proof.tsx'
import { confirming } from '#wire/ui/failed-change.tsx'
import { useRealTradingChange } from './use-real-trading.ts'

/** What the kill switch has done so far, and the way to trade again. */
export function KilledBanner({ state }: { state: RealTradingState }) {
  const [isAsking, setIsAsking] = useState(false)
  const again = useRealTradingChange(() => call(killBots, { body: { close: false } }))
  return (
    <>
      <Banner
        kind="error"
        title="Kill switch is on: real bots cannot trade"
        action={
          <Row gap={1}>
            {state.openOrders > 0 && (
              <Button size="small" {...busyButton(again.isPending, () => again.mutate())}>
                {again.isPending ? 'Cancelling…' : 'Cancel again'}
              </Button>
            )}
            {state.positions[0] !== undefined && (
              <LinkButton size="small" to={paths.bot(state.positions[0].botId)}>
                Show position
              </LinkButton>
            )}
            <Button size="small" onClick={() => setIsAsking(true)}>
              Switch off
            </Button>
          </Row>
        }
      >
        {killedWords(state)}
      </Banner>
      {isAsking && <AllowDialog onClose={() => setIsAsking(false)} />}
    </>
  )
}

/** `20 Nov 2026, 14:14 UTC. Every order is cancelled. Kept: 0.0053 BTCUSDT of Granite, without a stop.` */
export function killedWords({ killedAt, killedReason, openOrders, positions, closing }: RealTradingState): string {
  const held = positions.map(({ botName, symbol, quantity }) => `${formatQuantity(quantity)} ${symbol} of ${botName}`)
  return [
    `Since ${formatDateTimeYear(killedAt)}.`,
    killedReason !== null && `Reason given: “${killedReason}”.`,
    openOrders === 0
      ? 'Every order is cancelled.'
      : `${formatCounted(openOrders, 'order')} may still be open at the exchange; cancelling goes on.`,
    held.length > 0 && (closing ? `Selling: ${held.join(', ')}.` : `Kept: ${held.join(', ')}, without a stop.`),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Switching it off lets real money trade again: that takes a code. */
function AllowDialog({ onClose }: { onClose: () => void }) {
  const proof = useIdentityProof()
  const allow = useRealTradingChange(async () => {
    await proof.give()
    return call(allowRealTrading, {})
  }, onClose)
  return (
    <ConfirmDialog
      title="Switch the kill switch off?"
      text="Real bots may be started again. None starts by itself: each is started by its owner, with its own confirmation."
      subject={proof.field}
      {...confirming(allow, 'Allow real trading', 'Switching off…', 'Real trading is still off.')}
      tone="contained"
      disabledReason={proof.missing === null ? undefined : `Give the ${proof.missing} first`}
      onConfirm={() => allow.mutate()}
      onClose={onClose}
    />
  )
}
