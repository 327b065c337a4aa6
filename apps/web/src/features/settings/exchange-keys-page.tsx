import { keptKeys, tradingLimits } from '@shapecast/contracts/exchange-keys'
import { realBotsLimits } from '@shapecast/contracts/real-bots'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { ListSkeleton } from '#kit/ui/skeleton.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { KeptKeyCard } from './kept-key-card.tsx'
import { BotsLimitsForm, TradingLimitsForm } from './limits-form.tsx'
import { NewKeyForm } from './new-key-form.tsx'

/** The caller's key of the exchange, and how much real orders may be worth. */
export function ExchangeKeysPage() {
  const isAdmin = useUser()?.role === 'admin'
  const keys = useEndpointQuery(keptKeys, {})
  const limits = useEndpointQuery(tradingLimits, {}, { enabled: isAdmin })
  const botsLimits = useEndpointQuery(realBotsLimits, {}, { enabled: isAdmin })
  return (
    <div className={layout.formColumn}>
      {keys.data !== undefined ? (
        <KeptKeyCard keys={keys.data} />
      ) : (
        <Card title="API key" flush>
          <QueryBoundary reply={keys} title="The key could not be loaded" inset>
            <ListSkeleton label="Loading the key" rowHeightPx={28} rows={1} />
          </QueryBoundary>
        </Card>
      )}
      {isAdmin && <NewKeyForm isReplacing={(keys.data?.length ?? 0) > 0} />}
      {isAdmin && (
        <Card title="Your limits for real money" facts="orders and bots of yours, from the next order on">
          <QueryBoundary reply={limits} title="The limits could not be loaded">
            <ListSkeleton label="Loading the limits" rowHeightPx={28} rows={2} />
          </QueryBoundary>
          {limits.data !== undefined && <TradingLimitsForm key={JSON.stringify(limits.data)} limits={limits.data} />}
        </Card>
      )}
      {isAdmin && (
        <Card title="Limits of all real bots" facts="of everybody here, together">
          <QueryBoundary reply={botsLimits} title="The limits could not be loaded">
            <ListSkeleton label="Loading the limits of bots" rowHeightPx={28} rows={2} />
          </QueryBoundary>
          {botsLimits.data !== undefined && (
            <BotsLimitsForm key={JSON.stringify(botsLimits.data)} limits={botsLimits.data} />
          )}
        </Card>
      )}
    </div>
  )
}
