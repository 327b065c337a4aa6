import type { Bot } from '@shapecast/contracts/bots'
import type { ReactNode } from 'react'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import { formatMoney, formatPnl } from '#kit/format/money.ts'
import { directionOf, formatCount, formatSigned } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatLimitPct, formatSharePct } from '#kit/format/percent.ts'
import { Figure, type FigureProps } from '#kit/ui/facts.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Note } from '#kit/ui/text.tsx'
import { useBotBalance, useBotEquity } from '../use-bot.ts'
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
