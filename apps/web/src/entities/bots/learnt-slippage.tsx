import { FILLS_NEEDED, ownSlippage } from '@shapecast/contracts/own-slippage'
import { formatCounted, formatFixed } from '#kit/format/number.ts'
import { Button } from '#kit/ui/button.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Note } from '#kit/ui/text.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'

/** An order whose slippage is asked for; its worth in quote. */
export interface SizedOrder {
  readonly symbol: string
  readonly notional: number
}

/** What own fills with real money say of slippage, and one press to take it; of admins alone, who have such fills. */
export function LearntSlippage({ order, onTake }: { order: SizedOrder; onTake: (slippageBps: number) => void }) {
  const isAdmin = useUser()?.role === 'admin'
  const { data } = useEndpointQuery(
    ownSlippage,
    { query: { ...order } },
    { enabled: isAdmin && order.notional > 0, staleTime: 5 * 60_000, retry: false },
  )
  if (data === undefined) return null
  const { fills, estimate } = data
  if (estimate === null)
    return fills < FILLS_NEEDED ? (
      <Note as="p">
        Slippage is learnt from your own fills with real money: {FILLS_NEEDED} are needed, you have {fills}.
      </Note>
    ) : null
  const [low, high] = estimate.intervalBps.map((bps) => formatFixed(bps, 1))
  const takes = Math.max(0, Number(estimate.expectedBps.toFixed(1)))
  return (
    <Row gap={1} wrap>
      <Note as="span" breaks>
        Your {formatCounted(fills, 'fill')}: {formatFixed(estimate.expectedBps, 1)} bps [{low}, {high}] for an order of
        this size
        {estimate.isBeyondSeen ? ', which is harder than all of them' : ''}.
      </Note>
      <Button variant="text" size="small" onClick={() => onTake(takes)}>
        Use {formatFixed(takes, 1)} bps
      </Button>
    </Row>
  )
}
