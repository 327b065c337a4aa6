import type { Bot } from '@shapecast/contracts/bots'
import { type PortfolioHistory, portfolio } from '@shapecast/contracts/portfolio'
import { useEffect, useMemo } from 'react'
import { Link } from 'react-router'
import { LineMark } from '#charts/legend-pattern.tsx'
import { PortfolioPlot } from '#charts/plots/portfolio-plot.tsx'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import { type BotSummary, summaryOf } from '#entities/bots/bot-summary.ts'
import { returnPctOf } from '#entities/bots/bot-words.ts'
import { openWords, Pnl, positionColumns, positionsOf } from '#entities/bots/position-columns.tsx'
import { useBots } from '#entities/bots/use-bots.ts'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatMoney, formatPnl } from '#kit/format/money.ts'
import { directionOf } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { keptChoice } from '#kit/kept.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card, SkeletonGroup } from '#kit/ui/card.tsx'
import { DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { directionColor, Note, Row, Text, Unit } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import css from './dashboard.module.css'
import { Nothing, ViewAll } from './list-cards.tsx'

const REFRESH_MS = 60_000
const DAY_MS = 24 * 60 * 60_000
export const SHOWN_POSITIONS = 8
const SHOWN_BOTS = 8

/** Whether this browser showed own bots before: room is kept for them from the start, so that nothing moves. */
const kept = keptChoice('dashboard-bots', ['none', 'some'])

/** The signed-in user's bots; undefined while they load, in a browser that showed some before. */
export function useOwnBots(): readonly Bot[] | undefined {
  const user = useUser()
  const { data, isFetched } = useBots()
  const own = useMemo(() => (data ?? []).filter((bot) => bot.userId === user?.id), [data, user?.id])
  useEffect(() => {
    if (data !== undefined) kept.choose(own.length > 0 ? 'some' : 'none')
  }, [data, own])
  return isFetched || kept.read() === 'none' ? own : undefined
}

/** What the user's bots are worth together, how that went in 30 days, and on a wide screen what each made. */
export function EquityCard({ own }: { own: readonly Bot[] | undefined }) {
  const summary = useMemo(() => summaryOf(own ?? []), [own])
  const { isVirtual } = summary.money
  // The card may stand for the user who was here before, until it is known that nobody is signed in.
  const enabled = useUser() !== null
  const query = useEndpointQuery(portfolio, { query: { span: '30d' } }, { enabled, refetchInterval: REFRESH_MS })
  const history = query.isError ? null : query.data?.[isVirtual ? 'virtual' : 'real']
  return (
    <Card
      title="My equity"
      facts={`${isVirtual ? 'virtual' : 'real money'}, 30 days`}
      actions={<ViewAll to={paths.bots}>Bots</ViewAll>}
    >
      {own === undefined ? (
        <SkeletonGroup label="Loading my equity" height={260} />
      ) : (
        <div className={css.equityBody}>
          <Worth summary={summary} history={history} />
          <Curve history={history} summary={summary} />
          <BotResults own={own} />
        </div>
      )}
    </Card>
  )
}

function Worth({ summary: { money }, history }: { summary: BotSummary; history: PortfolioHistory | null | undefined }) {
  return (
    <Row wrap between gap={2} lineGap={1} align="stretch">
      <div>
        <Text as="div" size="numberL">
          {formatMoney(money.equity)} <Unit>USDT</Unit>
        </Text>
        <Note tone="text2">
          Balance {formatMoney(money.equity - money.open)} · open {formatPnl(money.open)}
        </Note>
      </div>
      <dl className={layout.list}>
        <Change word="24 h" pct={lastDayPct(history)} />
        <Change word="30 days" pct={history?.points.at(-1)?.pct} />
      </dl>
    </Row>
  )
}

/** Percent of the last 24 hours; undefined where they are not all known. */
function lastDayPct(history: PortfolioHistory | null | undefined): number | undefined {
  const last = history?.points.at(-1)
  const before = history?.points.findLast(({ t }) => last !== undefined && t <= last.t - DAY_MS)
  if (last === undefined || before === undefined) return undefined
  return 100 * ((1 + last.pct / 100) / (1 + before.pct / 100) - 1)
}

const Change = ({ word, pct }: { word: string; pct: number | undefined }) => (
  <Row between gap={1.5} align="stretch" style={{ lineHeight: '20px' }}>
    <Text as="dt" size="small" tone="text2">
      {word}
    </Text>
    <Text as="dd" size="small" weight={500} style={{ color: directionColor(directionOf(pct ?? 0)) }}>
      {formatChangePct(pct)}
    </Text>
  </Row>
)

function Curve({ history, summary: { real } }: { history: PortfolioHistory | null | undefined; summary: BotSummary }) {
  if (history === undefined) return <SkeletonGroup label="Loading the curve" height={160} />
  const hold = formatChangePct(history?.hold.at(-1)?.pct)
  return (
    <>
      {history !== null && history.points.length > 1 ? (
        <PortfolioPlot
          history={history}
          label={`My bots ${formatChangePct(history.points.at(-1)!.pct)} in 30 days, their pairs held ${hold}`}
        />
      ) : (
        <Note style={{ paddingBlock: 32 }}>The curve begins with the first full hour after a bot is started.</Note>
      )}
      <Row wrap gap={2} lineGap={0.5} align="stretch">
        <Note as="span" tone="text2">
          <LineMark color={colors.text} rightPx={6} /> My bots
        </Note>
        <Note as="span" tone="text2">
          <LineMark color={colors.text3} rightPx={6} /> Their pairs held {hold}
        </Note>
        {real !== null && (
          <Note as="span" style={{ marginLeft: 'auto' }}>
            Real money {formatMoney(real.equity)}
          </Note>
        )}
      </Row>
    </>
  )
}

/** The best and the worst, by what they made. */
function BotResults({ own }: { own: readonly Bot[] }) {
  const rows = own.toSorted((a, b) => b.totalPnL - a.totalPnL).slice(0, SHOWN_BOTS)
  return (
    <div className={css.byBot}>
      <DataTable
        label="Results by bot"
        columns={[
          { head: 'By bot', keep: true, cell: (bot) => <BotLink bot={bot} /> },
          { head: 'P&L, USDT', figure: true, keep: true, cell: (bot) => <Pnl value={bot.totalPnL} /> },
          { head: 'Return', figure: true, cell: (bot) => formatChangePct(returnPctOf(bot)) },
        ]}
        rows={rows}
        rowKey={(bot) => bot.id}
        rowName={(bot) => bot.name}
      />
    </div>
  )
}

const BotLink = ({ bot }: { bot: Bot }) => (
  <Row as="span" gap={1} className={css.bot} style={{ display: 'inline-flex' }}>
    <Link to={paths.bot(bot.id)}>{bot.name}</Link>
    {!bot.isVirtual && <MoneyChip isVirtual={false} />}
  </Row>
)

/** What the user's bots hold, the largest first. */
export function PositionsCard({ own }: { own: readonly Bot[] | undefined }) {
  const rows = positionsOf(own ?? [])
  const columns = positionColumns(useMarketFinder())
  return (
    <Card title="Open positions" facts={rows.length > 0 && openWords(rows)} flush actions={<ViewAll to={paths.bots} />}>
      {own === undefined ? (
        <SkeletonGroup label="Loading open positions" height={260} />
      ) : rows.length === 0 ? (
        <Nothing title="No position is open" hint="What your bots hold stands here, with what it has made so far." />
      ) : (
        <DataTable
          label="Open positions"
          columns={[
            { head: 'Bot', keep: true, cell: ({ bot }) => <BotLink bot={bot} /> },
            ...columns,
            {
              head: 'Price P&L, USDT',
              figure: true,
              keep: true,
              cell: ({ position }) => <Pnl value={position.unrealizedPnL} />,
            },
          ]}
          rows={rows.slice(0, SHOWN_POSITIONS)}
          rowKey={({ bot, position }) => `${bot.id} ${position.symbol}`}
          rowName={({ bot, position }) => `${bot.name}, ${position.symbol}`}
        />
      )}
    </Card>
  )
}
