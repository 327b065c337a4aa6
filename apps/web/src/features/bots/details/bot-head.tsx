import type { Bot } from '@shapecast/contracts/bots'
import type { ReactNode } from 'react'
import { MoneyChip, ReadOnlyChip, VisibilityChip } from '#entities/bots/bot-chips.tsx'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import { futuresFacts, MARKET_TYPE_LABEL, policyWords, sizePhrase, strategyWords } from '#entities/bots/bot-words.ts'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatMoney, formatMoneyUnit, formatPnl } from '#kit/format/money.ts'
import { directionOf, formatCount, formatSigned } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatLimitPct, formatSharePct } from '#kit/format/percent.ts'
import { formatDate } from '#kit/format/time.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { Figure, type FigureProps } from '#kit/ui/facts.tsx'
import { Note, Text } from '#kit/ui/primitives.tsx'
import { useBotBalance, useBotEquity, useIsMine } from '../use-bot.ts'
import css from './bot-details.module.css'

const toneOf = (value: number | undefined): FigureProps['tone'] & string => {
  const direction = directionOf(value)
  return direction === 'flat' ? 'plain' : direction
}
/** A fall as a negative figure: 2.73 is −2.73 %. */
const fall = (pct: number): string => `${formatSigned(-pct, 2)}%`

/** Balance, profit, return, drawdown and trades of a bot, open positions at their last prices. */
export function FiguresBand({ bot }: { bot: Bot }) {
  const { data, isLoading } = useBotBalance(bot.id)
  const course = useBotEquity(bot.id).data
  const held = course?.hold.at(-1)?.equity
  const equity = data?.equity
  const pnl = equity === undefined ? undefined : equity - bot.initialBalance
  const returnPct = pnl === undefined ? undefined : (100 * pnl) / bot.initialBalance
  if (isLoading) return <BandSkeleton />
  return (
    <div className={css.band}>
      <Part
        figure={{ label: 'Equity', value: formatMoney(equity), unit: 'USDT' }}
        evidence={
          data !== undefined && (
            <>
              Balance {formatMoney(data.equity - data.openPnL)} <Aside>· open {formatPnl(data.openPnL)}</Aside>
            </>
          )
        }
      />
      <Part
        figure={{ label: 'P&L', value: formatPnl(pnl), unit: 'USDT', tone: toneOf(pnl) }}
        evidence={
          data !== undefined && (
            <>
              <Aside>Closed {formatPnl(data.closedPnL)} · </Aside>open {formatPnl(data.openPnL)}
            </>
          )
        }
      />
      <Part
        figure={{ label: 'Return', value: formatChangePct(returnPct), tone: toneOf(returnPct) }}
        evidence={
          <>
            {held !== undefined && `Buy and hold ${formatChangePct(100 * (held / bot.initialBalance - 1))}`}
            {data !== undefined && (
              <Aside>
                {held === undefined ? 'Fees' : ' · fees'} {formatMoney(data.fees)}
              </Aside>
            )}
          </>
        }
      />
      <Part
        figure={{ label: 'Drawdown now', value: data === undefined ? '—' : fall(data.drawdownPct) }}
        evidence={
          data !== undefined && (
            <>
              <Aside>Worst {fall(data.worstDrawdownPct)} · </Aside>limit {formatLimitPct(bot.maxDrawdown)}
            </>
          )
        }
      />
      <Part
        figure={{ label: 'Trades', value: formatCount(bot.totalTrades) }}
        evidence={
          bot.totalTrades === 0
            ? 'None yet'
            : `Won ${formatSharePct(winRatePctOf(bot))}${data?.winInterval ? ` · ${formatInterval(data.winInterval)}%` : ''}`
        }
      />
    </div>
  )
}

const BandSkeleton = () => (
  <SkeletonGroup label="Loading the figures">
    <div className={css.band}>
      {['Equity', 'P&L', 'Return', 'Drawdown now', 'Trades'].map((label) => (
        <Part
          key={label}
          figure={{ label, value: <SkeletonBox width={96} height={28} /> }}
          evidence={<SkeletonBox width={128} />}
        />
      ))}
    </div>
  </SkeletonGroup>
)

const Part = ({ figure, evidence }: { figure: FigureProps; evidence: ReactNode }) => (
  <div>
    <Figure {...figure} />
    <Note as="p" tone="text2" above={0.25} className={css.evidence}>
      {evidence}
    </Note>
  </div>
)

/** What a phone has no room for. */
const Aside = ({ children }: { children: ReactNode }) => <span className={css.wideOnly}>{children}</span>

/** Who sees it, whose money it trades with, and what it trades, as chips. */
export const BotFacts = ({ bot }: { bot: Bot }) => (
  <>
    <VisibilityChip visibility={bot.visibility} />
    <MoneyChip isVirtual={bot.isVirtual} />
    {!useIsMine(bot) && <ReadOnlyChip />}
    {bot.tradingPairs.map((pair) => (
      <Chip key={pair} label={pair} />
    ))}
    {[bot.parameters?.timeframe ?? '1h', ...marketFacts(bot)].map((fact) => (
      <Chip key={fact} label={fact} tone="outline" />
    ))}
  </>
)

/** `Futures 2×`, then its target and stop; `Spot`. */
function marketFacts(bot: Bot): string[] {
  const [leverage, ...rest] = futuresFacts(bot)
  return [[MARKET_TYPE_LABEL[bot.marketType], leverage].filter(Boolean).join(' '), ...rest]
}

/** `ML · v3 · Model signal · size 0.02 BTC · started with 1,000.00 USDT on 29 Dec 2023 · Follows v3.` */
export const BotWords = ({ bot }: { bot: Bot }) => (
  <Text size="small" tone="text2" breaks>
    {[
      ...new Set([...strategyWords(bot).split(' · '), policyWords(bot)]),
      sizePhrase(bot, useMarketFinder()),
      `started with ${formatMoneyUnit(bot.initialBalance, 'USDT')} on ${formatDate(bot.createdAt)}`,
      bot.description,
    ]
      .filter(Boolean)
      .join(' · ')}
  </Text>
)
