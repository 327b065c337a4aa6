import type { OpenBotPosition } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { exchangeName, takesTargets } from '@shapecast/contracts/exchanges'
import type { Market } from '@shapecast/contracts/market'
import type { ReactNode } from 'react'
import { SideMark } from '#entities/bots/bot-chips.tsx'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatMoneyUnit, formatPnl, formatPnlUnit, formatPrice, formatQuantityAsset } from '#kit/format/money.ts'
import { directionOf, formatRatio, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateTime, formatSpan } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { directionColor, Note, Row, Text, Unit } from '#kit/ui/primitives.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { ClosePositionButton } from '../menu/bot-actions.tsx'
import { useBotBalance, useIsMine } from '../use-bot.ts'
import css from './bot-details.module.css'

/** What it holds now: futures with real money at the exchange's mark price, all else at the last one. */
export function PositionCard({ bot }: { bot: Bot }) {
  const marketOf = useMarketFinder()
  const reply = useBotBalance(bot.id)
  const positions = reply.data?.positions ?? []
  const isClosable = useIsMine(bot) && bot.status !== 'error'
  const only = positions.length === 1 ? positions[0] : undefined
  const closesInHead = !useIsNarrow() && isClosable && only !== undefined && !only.closing
  return (
    <Card
      title={positions.length > 1 ? 'Open positions' : only === undefined ? 'Position' : 'Open position'}
      flush
      actions={closesInHead && <ClosePositionButton bot={bot} position={only} />}
    >
      <QueryBoundary reply={reply} of="the position" px={20} rows={3} inset />
      {reply.data !== undefined && positions.length === 0 && <Flat bot={bot} balance={reply.data.balance} />}
      {positions.map((position) => (
        <Position
          key={position.symbol}
          bot={bot}
          isClosable={isClosable}
          closesInHead={closesInHead}
          position={position}
          equity={reply.data!.equity}
          market={marketOf(position.symbol)}
        />
      ))}
    </Card>
  )
}

/** Where nothing is held: since when, and what it has to trade with. */
function Flat({ bot: { lastTradeAt }, balance }: { bot: Bot; balance: number }) {
  const nowMs = useHealthAndClock().data?.marketTime ?? null
  return (
    <div className={layout.inset}>
      <Text size="numberS">
        {lastTradeAt === null ? 'Flat: no trade yet' : `Flat since ${formatDateTime(lastTradeAt)}`}
      </Text>
      <Note as="p" tone="text2">
        {lastTradeAt !== null && nowMs !== null && `No position for ${formatSpan(Math.max(0, nowMs - lastTradeAt))}. `}
        {formatMoneyUnit(balance, 'USDT')} are free.
      </Note>
    </div>
  )
}

/** What it has made so far, its costs taken off; of the price alone where they are unknown. */
export const netOf = ({ unrealizedPnL, fees, funding }: OpenBotPosition): number =>
  unrealizedPnL - (fees ?? 0) + (funding ?? 0)

/** A note, quiet, before its figure. */
const noted = (note: string, value: string): ReactNode => (
  <>
    <Text as="span" size="small" tone="text2">
      {note}
    </Text>{' '}
    {value}
  </>
)

function Position({
  bot,
  isClosable,
  closesInHead,
  position,
  equity,
  market,
}: {
  bot: Bot
  isClosable: boolean
  closesInHead: boolean
  position: OpenBotPosition
  equity: number
  market: Market | undefined
}) {
  const nowMs = useHealthAndClock().data?.marketTime ?? null
  const { side, quantity, entryPrice, entryTime, markPrice, worth, margin, fees, funding } = position
  const price = (value: number) => formatPrice(value, market?.tickSize)
  const movePct = (value: number, from: number) => (100 * (value - from)) / from
  const away = (value: number) => `${formatChangePct(movePct(value, markPrice))} away`
  const isRealFutures = !bot.isVirtual && bot.marketType === 'futures'
  const net = netOf(position)
  const gainPct = movePct(markPrice, entryPrice) * (side === 'long' ? 1 : -1)
  const tone = { color: directionColor(directionOf(net)) }
  const facts: (Fact | false)[] = [
    { label: 'Entry', value: noted(formatDateTime(entryTime), price(entryPrice)) },
    {
      label: position.markedBy === 'mark' ? 'Mark price' : isRealFutures ? 'Last price, futures' : 'Live price',
      value: price(markPrice),
    },
    {
      label: 'Worth now',
      value: noted(equity > 0 ? `${formatRatio(worth / equity)}× equity` : '', formatMoneyUnit(worth, 'USDT')),
    },
    margin > 0 && { label: 'Margin', value: noted(`at ${bot.leverage}×`, formatMoneyUnit(margin, 'USDT')) },
    position.liquidationPrice !== null && {
      label: 'Liquidation',
      value: noted(away(position.liquidationPrice), price(position.liquidationPrice)),
    },
    fees !== null && { label: 'Fees so far', value: noted('in open P&L', formatPnlUnit(-fees, 'USDT')) },
    funding !== null &&
      bot.marketType !== 'spot' && {
        label: 'Funding so far',
        value: noted('in open P&L', formatPnlUnit(funding, 'USDT')),
      },
    { label: 'Held for', value: nowMs === null ? UNKNOWN : formatSpan(Math.max(0, nowMs - entryTime)) },
  ]
  const orders = [
    { name: 'Target', tone: 'up', at: position.takeProfitPrice, where: whereTargetWaits(bot) },
    { name: 'Stop', tone: 'down', at: position.stopLossPrice, where: '' },
  ] as const
  const placed = orders.flatMap(({ at, ...rest }) => (at === null ? [] : [{ at, ...rest }]))
  const coins = formatQuantityAsset(quantity, market?.base ?? position.symbol)
  return (
    <div className={layout.listRow}>
      <Row between gap={1}>
        <Text size="numberS">
          <SideMark side={side} /> {coins}
        </Text>
        <Text as="span" size="numberS" style={tone}>
          {formatPnl(net)} <Unit>USDT</Unit>
        </Text>
      </Row>
      <Row between gap={1} style={{ marginBottom: 8 }}>
        <Text as="span" size="small" tone="text2">
          {price(entryPrice)} → {price(markPrice)}
        </Text>
        <Text as="span" size="small" style={tone}>
          {formatChangePct(gainPct)}
        </Text>
      </Row>
      <Facts facts={facts} />
      {placed.length > 0 && (
        <section aria-label="Its orders" className={css.orders}>
          <Row between gap={1}>
            <Text size="label" as="h3" tone="text2">
              Its orders
            </Text>
            <Note as="span">away from {price(markPrice)}</Note>
          </Row>
          {placed.map(({ name, tone: color, at, where }) => (
            <div key={name} className={css.order}>
              <Text as="span" size="small" tone={color}>
                {name}
              </Text>
              <Text as="span" size="small" tone="text2">
                {side === 'long' ? 'Sell' : 'Buy'} {coins}
              </Text>
              <Text as="span" size="small" weight={500}>
                {price(at)}
              </Text>
              <Text as="span" size="small" tone="text2">
                {formatChangePct(movePct(at, markPrice))}
              </Text>
              {where !== '' && <Note className={css.where}>{where}</Note>}
            </div>
          ))}
        </section>
      )}
      {isClosable && (
        <div className={css.close}>
          {position.closing ? (
            <Note role="status">It is being closed at the next price.</Note>
          ) : (
            <>
              <Note as="p" tone="text2">
                Closing {side === 'long' ? 'sells' : 'buys back'} {coins} at the market
                {placed.length > 0 && ` and cancels ${placed.length > 1 ? 'both orders' : 'the order'}`}. The bot goes
                on and may trade again at its next decision.
              </Note>
              {!closesInHead && <ClosePositionButton bot={bot} position={position} />}
            </>
          )}
        </div>
      )}
    </div>
  )
}

/** What keeps the take profit of a bot with real money; nothing of a virtual one. */
function whereTargetWaits({ isVirtual, venue, marketType, stopLossPct }: Bot): string {
  if (isVirtual) return ''
  return takesTargets(venue, marketType, stopLossPct > 0)
    ? `An order at ${exchangeName(venue)}`
    : 'Watched by Shapecast: it works only while Shapecast runs'
}
