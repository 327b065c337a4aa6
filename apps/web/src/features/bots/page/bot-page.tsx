import { botOrders } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { holdsShare } from '@shapecast/contracts/policies'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useBots } from '#entities/bots/use-bots.ts'
import { BotStatusChip } from '#entities/markets/trading-chips.tsx'
import { FIRST_ORDERS, MOST_ORDERS, OrderList } from '#entities/trade/order-list.tsx'
import { formatCount } from '#kit/format/number.ts'
import { Button, IconButton } from '#kit/ui/button.tsx'
import { EmptyState } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { type PageTab, PageTabs } from '#kit/ui/page-head.tsx'
import { Columns, Row, Text } from '#kit/ui/primitives.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { BotFacts, BotWords, FiguresBand } from '../details/bot-head.tsx'
import { DecisionsCard } from '../details/decisions-card.tsx'
import { ParityCard } from '../details/parity-card.tsx'
import { PositionCard } from '../details/position-card.tsx'
import { ResultsCard } from '../details/results-card.tsx'
import { SettingsCard } from '../details/settings-card.tsx'
import { TradesCard } from '../details/trades-card.tsx'
import { didSomething, WhyBanner } from '../details/why-banner.tsx'
import { EvidenceCard } from '../evidence/evidence-card.tsx'
import { BotActionButtons, BotMenu } from '../menu/bot-actions.tsx'
import { ModelOffer } from '../model-offer.tsx'
import { REFRESH_MS, useBotResults, useIsMine } from '../use-bot.ts'
import { BotChartCard, type LookedAt } from './bot-chart-card.tsx'
import css from './bot-page.module.css'
import { WeightsTab } from './weights-card.tsx'

/** All about one bot: what it traded on its candles, what it holds, why it trades or not, and every trade and decision. */
export function BotPage() {
  const { id } = useParams()
  const reply = useBots()
  const navigate = useNavigate()
  const bot = reply.data?.find((one) => one.id === id)
  if (bot === undefined)
    return (
      <div className={layout.pageColumn}>
        <title>Bot · Shapecast</title>
        <QueryBoundary reply={reply} of="the bot" px={640} />
        {reply.data !== undefined && (
          <EmptyState
            isPage
            title="This bot does not exist, or its owner keeps it private"
            action={<Button onClick={() => navigate(paths.bots)}>Back to the bots</Button>}
          />
        )}
      </div>
    )
  return <Found key={bot.id} bot={bot} />
}

function Found({ bot }: { bot: Bot }) {
  const isNarrow = useIsNarrow()
  const [lookAt, setLookAt] = useState<LookedAt | null>(null)
  const decided = useBotResults(bot.id).data?.decisions
  const orders = decided?.reduce((sum, { action, count }) => sum + (didSomething(action) ? count : 0), 0)
  const isMine = useIsMine(bot)
  const tabs: PageTab[] = [
    {
      id: 'trades',
      label: 'Trades',
      count: formatCount(bot.totalTrades),
      content: (
        <TradesCard
          bot={bot}
          onLook={({ symbol, entryTime, exitTime }) => setLookAt({ symbol, fromMs: entryTime, toMs: exitTime })}
        />
      ),
    },
    { id: 'results', label: 'Results', content: <ResultsCard id={bot.id} /> },
    ...(holdsShare(bot.parameters?.policy ?? 'signal') && bot.tradingPairs.length > 1
      ? [{ id: 'weights', label: 'Weights', content: <WeightsTab bot={bot} /> }]
      : []),
    { id: 'evidence', label: 'When will I know?', content: <EvidenceCard bot={bot} /> },
    {
      id: 'decisions',
      label: 'Decisions',
      count: orders === undefined ? undefined : formatCount(orders),
      content: <DecisionsCard bot={bot} />,
    },
    ...(isMine ? [{ id: 'parity', label: 'Live against backtest', content: <ParityCard bot={bot} /> }] : []),
    ...(isMine && !bot.isVirtual ? [{ id: 'orders', label: 'Orders', content: <OrdersCard bot={bot} /> }] : []),
    { id: 'settings', label: 'Settings', content: <SettingsCard bot={bot} /> },
  ]
  return (
    <div className={layout.pageColumn}>
      <title>{`${bot.name} · Bots · Shapecast`}</title>
      <header className={css.head}>
        <IconButton as={Link} to={paths.bots} size="small" aria-label="Back to the bots">
          <ArrowLeft size={18} />
        </IconButton>
        <Row wrap gap={1} lineGap={0.5} style={{ gridArea: 'title', minHeight: 30 }}>
          <Text size="h1" breaks>
            {bot.name}
          </Text>
          <BotStatusChip status={bot.status} isPlain />
        </Row>
        <Row wrap gap={1} lineGap={0.5} align="stretch" style={{ gridArea: 'facts' }}>
          <BotFacts bot={bot} />
        </Row>
        <div style={{ gridArea: 'words' }}>
          <BotWords bot={bot} />
        </div>
        {isMine && (
          <Row gap={1} className={css.actions}>
            {!isNarrow && <BotActionButtons bot={bot} />}
            <BotMenu bot={bot} />
          </Row>
        )}
      </header>
      {isMine && <ModelOffer bot={bot} />}
      <FiguresBand bot={bot} />
      <Columns gap={0} at={{ lg: 'minmax(0, 3fr) minmax(300px, 1fr)' }} style={{ gap: 'var(--gap)' }}>
        <BotChartCard bot={bot} lookAt={lookAt} />
        <div className={layout.pageColumn} style={{ alignContent: 'start' }}>
          <PositionCard bot={bot} />
          <WhyBanner bot={bot} asCard />
          {isMine && isNarrow && <BotActionButtons bot={bot} isWide />}
        </div>
      </Columns>
      <PageTabs label="More about this bot" tabs={tabs} asCard />
    </div>
  )
}

/** The orders that a bot has sent to the exchange, with their results. */
function OrdersCard({ bot }: { bot: Bot }) {
  const [limit, setLimit] = useState(FIRST_ORDERS)
  const reply = useEndpointQuery(
    botOrders,
    { params: { id: bot.id }, query: { limit } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  return (
    <OrderList
      title="Orders"
      facts="at the exchange"
      empty="No order has been sent yet."
      reply={reply}
      limit={limit}
      onAll={() => setLimit(MOST_ORDERS)}
    />
  )
}
