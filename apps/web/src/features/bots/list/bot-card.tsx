import type { Bot } from '@shapecast/contracts/bots'
import type { BotCourse } from '@shapecast/contracts/portfolio'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Sparkline } from '#charts/plots/sparkline.tsx'
import { MoneyChip, ReadOnlyChip, SideMark, VisibilityChip } from '#entities/bots/bot-chips.tsx'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import {
  doesWords,
  futuresFacts,
  MARKET_TYPE_LABEL,
  RISK_LABEL,
  returnPctOf,
  shownPairs,
  sizeWords,
  strategyWords,
} from '#entities/bots/bot-words.ts'
import { MarketAgo } from '#entities/markets/market-ago.tsx'
import { BotStatusChip } from '#entities/markets/trading-chips.tsx'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatMoney, formatPnl, formatPrice, formatQuantityAsset } from '#kit/format/money.ts'
import { formatCount, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatLimitPct, formatSharePct } from '#kit/format/percent.ts'
import { PlainButton } from '#kit/ui/button.tsx'
import card from '#kit/ui/card.module.css'
import { Chip } from '#kit/ui/chip.tsx'
import { Explained } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note, Row, Text, toneOf } from '#kit/ui/primitives.tsx'
import { BotActionButtons, BotMenu } from '../menu/bot-actions.tsx'
import { useIsMine } from '../use-bot.ts'
import css from './bot-card.module.css'
import { warningOf } from './bots-view.ts'

/** Pairs and positions named on a card before the rest is counted. */
const MOST_NAMED = 3

/** The id of the control that opens the details of a bot. */
export const openerOf = (id: string) => `open-${id}`

export interface BotCardProps {
  bot: Bot
  onOpen: (id: string) => void
  /** How it went in the last days, beside its pairs held; left out while that is not known. */
  course?: BotCourse | undefined
}

/** A bot: what it is, how it stands, and what its owner can do with it. */
export const BotCard = memo(function BotCard({ bot, onOpen, course }: BotCardProps) {
  return (
    <article aria-label={bot.name} className={`${card.card} ${css.card}`} data-real={!bot.isVirtual}>
      <Head bot={bot} onOpen={onOpen} />
      <FigureBand bot={bot} course={course} />
      <Held bot={bot} course={course} />
      <FactColumns bot={bot} />
      <Pairs bot={bot} />
      <Warning bot={bot} course={course} />
      <Footer bot={bot} />
    </article>
  )
})

/** The whole card opens the details; what can be pressed lies above that. */
function Head({ bot, onOpen }: Omit<BotCardProps, 'course'>) {
  const isMine = useIsMine(bot)
  return (
    <div style={{ padding: '16px 16px 14px' }}>
      <Row gap={1.25} style={{ minHeight: 26 }}>
        <Text size="h3" as="h2" noWrap title={bot.name} className={layout.shrinks}>
          <PlainButton
            id={openerOf(bot.id)}
            onClick={() => onOpen(bot.id)}
            aria-label={`Open ${bot.name}`}
            className={css.cover ?? ''}
          >
            {bot.name}
          </PlainButton>
        </Text>
        <span style={{ flexShrink: 0 }}>
          <BotStatusChip status={bot.status} isPlain />
        </span>
        {isMine && (
          <div className={css.menu}>
            <BotMenu bot={bot} />
          </div>
        )}
      </Row>
      <Text size="small">{doesWords(bot, useMarketFinder())}</Text>
      <Text size="small" tone="text3" title={bot.description} className={css.description}>
        {bot.description}
      </Text>
      <Row wrap gap={0.75} above={1.25} align="stretch">
        {!bot.isVirtual && <MoneyChip isVirtual={false} />}
        <VisibilityChip visibility={bot.visibility} />
        {bot.isVirtual && <MoneyChip isVirtual />}
        {!isMine && <ReadOnlyChip />}
      </Row>
    </div>
  )
}

function FigureBand({ bot, course }: Pick<BotCardProps, 'bot' | 'course'>) {
  const returnPct = returnPctOf(bot)
  const isFlat = bot.positions.length === 0
  return (
    <div className={css.band}>
      <Cell label="Equity" below={`Balance ${formatMoney(bot.currentBalance - bot.openPnL)}`}>
        {formatMoney(bot.currentBalance)}
      </Cell>
      <Cell label="Return" below={`Hold ${formatChangePct(course?.holdPct)}`} tone={toneOf(returnPct)}>
        {formatChangePct(returnPct)}
      </Cell>
      <Cell label="Open P&L" below={isFlat ? 'no position' : 'USDT'} tone={isFlat ? 'text3' : toneOf(bot.openPnL)}>
        {isFlat ? UNKNOWN : formatPnl(bot.openPnL)}
      </Cell>
      <Cell label="Trades" below={`Win rate ${formatSharePct(winRatePctOf(bot))}`}>
        {formatCount(bot.totalTrades)}
      </Cell>
    </div>
  )
}

const Cell = ({
  label,
  below,
  tone = 'inherit',
  children,
}: {
  label: string
  below: string
  tone?: 'inherit' | 'up' | 'down' | 'text3'
  children: ReactNode
}) => (
  <div className={layout.shrinks}>
    <Text size="label" tone="text2">
      <Explained label={label} />
    </Text>
    <Text as="div" size="numberS" tone={tone}>
      {children}
    </Text>
    <Note tone="text2">{below}</Note>
  </div>
)

/** What it holds at which price, or since when nothing, beside the course of its equity. */
function Held({ bot, course }: Pick<BotCardProps, 'bot' | 'course'>) {
  const marketOf = useMarketFinder()
  const more = bot.positions.length - MOST_NAMED
  const hasTraded = bot.totalTrades > 0 || bot.positions.length > 0
  return (
    <div className={css.held}>
      <div className={css.positions} data-many={bot.positions.length > 1}>
        {bot.positions.slice(0, MOST_NAMED).map((position) => {
          const { symbol, side, quantity, entryPrice, markPrice, unrealizedPnL } = position
          const market = marketOf(symbol)
          const price = (value: number) => formatPrice(value, market?.tickSize)
          const movePct = (100 * (markPrice - entryPrice)) / entryPrice
          return (
            <div key={symbol} className={css.position}>
              <Text as="div" size="small" weight={500}>
                <SideMark side={side} /> {formatQuantityAsset(quantity, market?.base ?? symbol)}
              </Text>
              <Note tone="text2">
                @ {price(entryPrice)}
                <span className={css.now}> → {price(markPrice)} ·</span>{' '}
                <Note as="span" tone={toneOf(unrealizedPnL)}>
                  {formatChangePct(side === 'long' ? movePct : -movePct)}
                </Note>
              </Note>
            </div>
          )
        })}
        {more > 0 && <Note tone="text2">+{more}</Note>}
        {bot.positions.length === 0 && (
          <>
            <Text as="div" size="small" weight={500}>
              Flat
            </Text>
            <Note tone="text2">
              {bot.lastTradeAt === null ? (
                'No trade yet'
              ) : (
                <>
                  since <MarketAgo ms={bot.lastTradeAt} />
                </>
              )}
            </Note>
          </>
        )}
      </div>
      {hasTraded && course !== undefined && course.values.length > 2 && (
        <Sparkline values={course.values} widthPx={120} heightPx={36} />
      )}
    </div>
  )
}

function FactColumns({ bot }: { bot: Bot }) {
  const facts = [
    ['Strategy', strategyWords(bot)],
    ['Risk level', RISK_LABEL[bot.riskLevel]],
    ['Market', MARKET_TYPE_LABEL[bot.marketType]],
    ['Position size', sizeWords(bot, useMarketFinder())],
    ['Pairs', formatCount(bot.tradingPairs.length)],
    ['Max drawdown', formatLimitPct(bot.maxDrawdown)],
  ]
  return (
    <dl className={css.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Pairs({ bot }: { bot: Bot }) {
  const { named, more } = shownPairs(bot.tradingPairs, MOST_NAMED)
  const futures = futuresFacts(bot)
  return (
    <Row wrap gap={0.75} align="stretch" className={css.pairs}>
      {named.map((pair) => (
        <Chip key={pair} label={pair} />
      ))}
      {more > 0 && <Chip label={`+${more}`} title={bot.tradingPairs.join(', ')} />}
      {futures.length > 0 && (
        <div className={css.futures}>
          {futures.map((fact) => (
            <Chip key={fact} label={fact} tone="outline" />
          ))}
        </div>
      )}
    </Row>
  )
}

/** Why it stands still: a limit that was reached, or what failed; or that the limit is near. */
function Warning({ bot, course }: Pick<BotCardProps, 'bot' | 'course'>) {
  const warning = warningOf(bot, course)
  if (warning === null) return null
  const failed = bot.status === 'error'
  return (
    <Text size="small" tone={failed ? 'down' : 'warn'} className={css.reason}>
      {failed ? <CircleAlert size={16} /> : <TriangleAlert size={16} />}
      <span>{warning}</span>
    </Text>
  )
}

function Footer({ bot }: { bot: Bot }) {
  return (
    <div className={css.footer}>
      <Text size="small" tone="text2">
        {bot.lastTradeAt === null ? (
          bot.positions.length > 0 ? (
            'No trade closed yet'
          ) : (
            'No trade yet'
          )
        ) : (
          <>
            Last trade <MarketAgo ms={bot.lastTradeAt} />
          </>
        )}
      </Text>
      {useIsMine(bot) ? (
        <div className={css.actions}>
          <BotActionButtons bot={bot} />
        </div>
      ) : (
        <Text size="small" tone="text2" className={css.limited}>
          Public bot — actions limited to owner.
        </Text>
      )}
    </div>
  )
}
