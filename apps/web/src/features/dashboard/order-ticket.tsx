import { TradeTicket } from '#entities/trade/trade-ticket.tsx'
import { Button, LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { tradePath } from './lead-series.ts'

/** An order of the virtual account, in the place of the signal. */
export const OrderTicket = ({ symbol, onClose }: { symbol: string; onClose: () => void }) => (
  <Card
    title="Trade"
    facts={`${symbol} · virtual`}
    actions={
      <>
        <LinkButton to={tradePath(symbol)} size="small" variant="text" aria-label="Open page">
          Page
        </LinkButton>
        <Button size="small" onClick={onClose} aria-label="ML Signal">
          Signal
        </Button>
      </>
    }
  >
    <TradeTicket key={symbol} symbol={symbol} isVirtual />
  </Card>
)
