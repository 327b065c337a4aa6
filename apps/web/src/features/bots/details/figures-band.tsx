import type { Bot } from '@shapecast/contracts/bots'
import type { ReactNode } from 'react'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import { formatMoney, formatPnl } from '#kit/format/money.ts'
import { directionOf, formatCount, formatSigned } from '#kit/format/number.ts'
import { formatChangePct, formatLimitPct, formatSharePct } from '#kit/format/percent.ts'
import { Figure, type FigureProps } from '#kit/ui/figure.tsx'
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
              Balance {formatMoney(data.equity - data.openPnL)} · <Whole>open {formatPnl(data.openPnL)}</Whole>
            </>
          )
        }
      />
      <Part
        figure={{ label: 'P&L', value: formatPnl(pnl), unit: 'USDT', tone: toneOf(pnl) }}
        evidence={
          data !== undefined && (
            <>
              Closed {formatPnl(data.closedPnL)} · <Whole>started with {formatMoney(bot.initialBalance)}</Whole>
            </>
          )
        }
      />
      <Part
        figure={{ label: 'Return', value: formatChangePct(returnPct), tone: toneOf(returnPct) }}
        evidence={returnEvidence(held === undefined ? undefined : 100 * (held / bot.initialBalance - 1), data?.fees)}
      />
      <Part
        figure={{ label: 'Drawdown now', value: data === undefined ? '—' : fall(data.drawdownPct) }}
        evidence={
          data !== undefined && (
            <>
              Worst {fall(data.worstDrawdownPct)} · <Whole>limit {formatLimitPct(bot.maxDrawdown)}</Whole>
            </>
          )
        }
      />
      <Part
        figure={{ label: 'Trades', value: formatCount(bot.totalTrades) }}
        evidence={bot.totalTrades === 0 ? 'None yet' : `Won ${formatSharePct(winRatePctOf(bot))}`}
      />
    </div>
  )
}

/** `Buy and hold +1.20% · fees 0.40`, or what is known of it. */
function returnEvidence(holdPct: number | undefined, fees: number | undefined): string {
  if (holdPct === undefined) return fees === undefined ? '' : `Fees ${formatMoney(fees)}`
  const held = `Buy and hold ${formatChangePct(holdPct)}`
  return fees === undefined ? held : `${held} · fees ${formatMoney(fees)}`
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
    <Note tone="text2" above={0.25}>
      {evidence}
    </Note>
  </div>
)

/** Breaks before its first word, not within. */
const Whole = ({ children }: { children: ReactNode }) => <span style={{ whiteSpace: 'nowrap' }}>{children}</span>
