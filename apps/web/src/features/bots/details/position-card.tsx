import type { OpenBotPosition } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { exchangeName, takesTargets } from '@shapecast/contracts/exchanges'
import type { Market } from '@shapecast/contracts/market'
import { SideMark } from '#entities/bots/side-mark.tsx'
import { MarketAgo } from '#entities/markets/market-ago.tsx'
import { formatMoneyUnit, formatPnlUnit, formatPrice, formatQuantityAsset } from '#kit/format/money.ts'
import { directionOf } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { Text } from '#kit/ui/text.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { ClosePositionButton } from '../menu/close-position-button.tsx'
import { useBotBalance } from '../use-bot.ts'

/** What it holds now: futures with real money at the exchange's mark price, all else at the last one. */
export function PositionCard({
  bot,
  isMine,
  marketOf,
}: {
  bot: Bot
  isMine: boolean
  marketOf: (symbol: string) => Market | undefined
}) {
  const reply = useBotBalance(bot.id)
  const positions = reply.data?.positions ?? []
  return (
    <Card title={positions.length > 1 ? 'Open positions' : 'Open position'} flush>
      <QueryBoundary reply={reply} title="The position could not be loaded" inset>
        <ListSkeleton label="Loading the position" rowHeightPx={20} rows={3} />
      </QueryBoundary>
      {reply.data !== undefined && positions.length === 0 && <EmptyLine>No open position.</EmptyLine>}
      {positions.map((position) => (
        <Position
          key={position.symbol}
          bot={bot}
          isMine={isMine}
          position={position}
          market={marketOf(position.symbol)}
        />
      ))}
    </Card>
  )
}

function Position({
  bot,
  isMine,
  position,
  market,
}: {
  bot: Bot
  isMine: boolean
  position: OpenBotPosition
  market: Market | undefined
}) {
  const price = (value: number) => formatPrice(value, market?.tickSize)
  const away = (value: number) => ` ${formatChangePct((100 * (value - position.markPrice)) / position.markPrice)} away`
  const level = (label: string, value: number | null, where = ''): Fact[] =>
    value === null
      ? []
      : [
          {
            label,
            value: (
              <>
                {price(value)}
                <Quiet>
                  {away(value)}
                  {where}
                </Quiet>
              </>
            ),
          },
        ]
  const isRealFutures = !bot.isVirtual && bot.marketType === 'futures'
  const facts: Fact[] = [
    {
      label: 'Entry',
      value: (
        <>
          {price(position.entryPrice)}
          <Quiet> {formatDateTime(position.entryTime)}</Quiet>
        </>
      ),
    },
    {
      label: position.markedBy === 'mark' ? 'Mark price' : isRealFutures ? 'Last price, futures' : 'Live price',
      value: price(position.markPrice),
    },
    { label: 'Worth now', value: formatMoneyUnit(position.worth, 'USDT') },
    ...(position.margin > 0 ? [{ label: 'Margin', value: formatMoneyUnit(position.margin, 'USDT') }] : []),
    ...level('Take profit', position.takeProfitPrice, whereTargetWaits(bot)),
    ...level('Stop loss', position.stopLossPrice),
    ...level('Liquidation', position.liquidationPrice),
    { label: 'Opened', value: <MarketAgo ms={position.entryTime} /> },
  ]
  return (
    <div className={`${layout.listRow} ${layout.inset}`}>
      <Row wrap gap={1} style={{ marginBottom: 12 }}>
        <Text size="numberS">
          <SideMark side={position.side} /> {formatQuantityAsset(position.quantity, market?.base ?? position.symbol)}
        </Text>
        <Text
          as="span"
          weight={500}
          style={{ marginLeft: 'auto', color: directionColor(directionOf(position.unrealizedPnL)) }}
        >
          {formatPnlUnit(position.unrealizedPnL, 'USDT')}
        </Text>
      </Row>
      <Facts facts={facts} />
      {isMine && bot.status !== 'error' && (
        <Text as="div" size="small" above={1.5} style={{ display: 'flex', justifyContent: 'flex-end' }}>
          {position.closing ? (
            <span role="status">It is being closed at the next price.</span>
          ) : (
            <ClosePositionButton bot={bot} position={position} market={market} />
          )}
        </Text>
      )}
    </div>
  )
}

/** What keeps the take profit of a bot with real money; nothing of a virtual one. */
function whereTargetWaits({ isVirtual, venue, marketType, stopLossPct }: Bot): string {
  if (isVirtual) return ''
  return takesTargets(venue, marketType, stopLossPct > 0)
    ? `, an order at ${exchangeName(venue)}`
    : ', watched by Shapecast: it works only while Shapecast runs'
}

const Quiet = ({ children }: { children: React.ReactNode }) => (
  <span style={{ color: 'var(--text2)', fontWeight: 400 }}>{children}</span>
)
