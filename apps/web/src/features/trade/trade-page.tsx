import { exportPositions, type Position } from '@shapecast/contracts/accounts'
import { SymbolId } from '@shapecast/contracts/market'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useOwnMarks } from '#charts/price-chart/own-marks.ts'
import { PriceChartCard } from '#charts/price-chart/price-chart-card.tsx'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import { DEFAULT_SERIES, useChartSeries } from '#entities/markets/lead-series.ts'
import { MarketAgo } from '#entities/markets/market-ago.tsx'
import { useMarketOf, useSymbolChoices } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { TradeTicket } from '#entities/trade/trade-ticket.tsx'
import { useOpenOrders, useOwnPositions } from '#entities/trade/use-own-account.ts'
import { formatPnlUnit, formatPrice } from '#kit/format/money.ts'
import { directionOf } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { IconButton, LinkButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine, EmptyState } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useAddressQuery } from '#kit/ui/use-address-query.ts'
import { paths } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { hasRole, useUser } from '#wire/session/auth-context.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { OpenOrders, OrderHistory } from './own-orders.tsx'
import { OwnPositions } from './own-positions.tsx'
import css from './trade-page.module.css'

const DEFAULT_SYMBOL = DEFAULT_SERIES.symbol

/** The account of the signed-in user. */
export function TradePage() {
  const user = useUser()
  const [search] = useSearchParams()
  const symbol = SymbolId.safeParse(search.get('symbol') ?? DEFAULT_SYMBOL).data
  if (user !== null && symbol !== undefined) return <OwnAccount symbol={symbol} isAdmin={hasRole(user, ['admin'])} />
  return (
    <>
      <title>Trade · Shapecast</title>
      {user === null ? (
        <EmptyState
          isPage
          title="Sign in to trade on your virtual account"
          action={<LinkButton to={paths.login}>Sign in</LinkButton>}
        />
      ) : (
        <EmptyState
          isPage
          title="The address names no market"
          action={<LinkButton to={paths.trade()}>Trade {DEFAULT_SYMBOL}</LinkButton>}
        >
          A symbol must be letters and digits, such as {DEFAULT_SYMBOL}.
        </EmptyState>
      )}
    </>
  )
}

/** `2 by hand · +85.88 USDT open, before fees`; a sum only where every price is known. */
function heldWords(held: readonly Position[]): string {
  if (held.length === 0) return 'bought by hand'
  const results = held.flatMap(({ unrealisedPnl }) => unrealisedPnl ?? [])
  const sum = results.length < held.length ? null : results.reduce((total, one) => total + one, 0)
  return `${held.length} by hand · ${formatPnlUnit(sum, 'USDT')} open, before fees`
}

/** What it costs now, how that differs from a day ago, and how old it is. */
function LivePrice({ symbol, tickSize }: { symbol: string; tickSize: number | undefined }) {
  const live = useTicker(symbol).data
  if (live === undefined) return null
  const direction = directionOf(live.percentage)
  return (
    <Row gap={1} wrap>
      <Text as="span" size="numberS">
        {formatPrice(live.last, tickSize)}
      </Text>
      <Text as="span" size="small" tone={direction === 'flat' ? 'text2' : direction}>
        {formatChangePct(live.percentage)}
      </Text>
      <Text as="span" size="small" tone="text2">
        24 h · <MarketAgo ms={live.timestamp} />
      </Text>
    </Row>
  )
}

/** Trading by hand: the own account, its positions and orders, and the ticket beside the chart. Virtual and real money are never on one page. */
function OwnAccount({ symbol, isAdmin }: { symbol: string; isAdmin: boolean }) {
  const [search, put] = useAddressQuery()
  const isVirtual = !(isAdmin && search.get('money') === 'real')
  const { nameOf } = useSymbolChoices(symbol)
  const { timeframe, put: show } = useChartSeries()
  const [pressed, setPressed] = useState<{ price: number } | null>(null)
  const market = useMarketOf(symbol)
  const tick = market?.tickSize ?? 0
  const press = (price: number) =>
    setPressed({ price: tick > 0 ? Number((Math.round(price / tick) * tick).toFixed(8)) : price })
  const name = nameOf(symbol)
  const positions = useOwnPositions(isVirtual)
  const orders = useOpenOrders(isVirtual)
  const own = useOwnMarks(symbol, isVirtual)
  const held = positions.data ?? []
  return (
    <div className={layout.pageColumn}>
      <title>{`Trade ${name} · Shapecast`}</title>
      <Row as="header" wrap gap={1.5} lineGap={1} style={{ minHeight: 36 }}>
        <IconButton as={Link} to={paths.dashboard} size="small" aria-label="Back to the dashboard">
          <ArrowLeft size={18} />
        </IconButton>
        <Text size="h1">Trade {name}</Text>
        <MoneyChip isVirtual={isVirtual} />
        <LivePrice symbol={symbol} tickSize={market?.tickSize} />
        {isAdmin && (
          <div className={layout.end}>
            <ToggleGroup
              label="Money"
              size="small"
              value={isVirtual ? 'virtual' : 'real'}
              onChange={(money) => put({ money: money === 'real' ? 'real' : null })}
              choices={{ virtual: 'Virtual', real: 'Real money' }}
            />
          </div>
        )}
      </Row>
      <div className={css.columns}>
        <div className={css.ticket} {...(!isVirtual && { 'data-real': true })}>
          <Card title="Order">
            <TradeTicket key={`${symbol} ${isVirtual}`} symbol={symbol} isVirtual={isVirtual} pressed={pressed} />
          </Card>
        </div>
        <div className={`${layout.pageColumn} ${css.main}`}>
          <PriceChartCard
            symbol={symbol}
            timeframe={timeframe}
            height={300}
            own={own}
            onPrice={press}
            onSeries={show}
          />
          <Card
            title="My positions"
            facts={heldWords(held)}
            flush
            actions={
              held.length > 0 && (
                <CsvButton
                  of="positions"
                  label="CSV of my positions"
                  fetchFile={() => file(exportPositions, { query: { isVirtual: isVirtual ? 'true' : 'false' } })}
                />
              )
            }
          >
            <QueryBoundary reply={positions} of="the positions" px={28} rows={2} inset />
            {positions.data?.length === 0 && <EmptyLine>You hold nothing that was bought here.</EmptyLine>}
            {held.length > 0 && <OwnPositions positions={held} orders={orders.data ?? []} />}
          </Card>
          <QueryBoundary reply={orders} of="the orders" px={28} rows={2} />
          {orders.data !== undefined && <OpenOrders orders={orders.data} isVirtual={isVirtual} />}
          <OrderHistory key={String(isVirtual)} isVirtual={isVirtual} />
        </div>
      </div>
    </div>
  )
}
