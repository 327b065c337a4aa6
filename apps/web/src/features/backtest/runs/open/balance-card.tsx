import type { BacktestRun } from '@shapecast/contracts/backtest'
import { STRATEGY_LABEL } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { POLICIES } from '@shapecast/contracts/policies'
import { SideMark } from '#entities/bots/bot-chips.tsx'
import { RISK_LABEL } from '#entities/bots/bot-words.ts'
import { formatMoney, formatMoneyUnit, formatPnlUnit, formatPrice, formatQuantityAsset } from '#kit/format/money.ts'
import { directionOf, formatCount, formatLeverage } from '#kit/format/number.ts'
import {
  formatBps,
  formatChangePct,
  formatFeeRate,
  formatLimitPct,
  formatSharePct,
  formatShareRatio,
} from '#kit/format/percent.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Fact, Facts, Figure } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { assetsOf } from '../../run/use-parameters.ts'
import { factorInterval, runSizeWords, unseenMetrics } from '../run-summary.ts'
import css from './opened-run.module.css'

interface Tested {
  run: BacktestRun
  market: Market | undefined
  base: string
  quote: string
}

function positionFacts({ run: { openPosition }, market, base, quote }: Tested): Fact[] {
  if (openPosition === null) return [{ label: 'Open position', value: 'None' }]
  return [
    {
      label: 'Open position',
      value: (
        <Row gap={0} style={{ justifyContent: 'flex-end' }}>
          <SideMark side={openPosition.side} />
        </Row>
      ),
    },
    { label: 'Entry price', value: formatPrice(openPosition.entryPrice, market?.tickSize) },
    { label: 'Quantity', value: formatQuantityAsset(openPosition.quantity, base, market?.lotSize) },
    { label: 'Unrealized PnL', value: formatPnlUnit(openPosition.unrealizedPnL, quote) },
  ]
}

/** From gross to net: gross − fees − slippage + funding = net. */
function CostFacts({ run, quote }: { run: BacktestRun; quote: string }) {
  const { metrics } = run
  const isFundingKnown = run.params.marketType === 'spot' || run.meta.fundingAssumed !== undefined
  const costs = metrics.fees + metrics.slippageCost
  const pnl = (label: string, amount: number) => ({ label, value: formatPnlUnit(amount, quote) })
  const columns = [
    [pnl('Gross PnL', metrics.grossPnL), pnl('Net PnL', metrics.netPnL)],
    [pnl('Fees', -metrics.fees), pnl('Slippage', -metrics.slippageCost)],
    [
      isFundingKnown ? pnl('Funding', metrics.funding) : { label: 'Funding', value: '—' },
      { label: 'Profit factor, 95%', value: factorInterval(run.intervals) ?? '—' },
    ],
  ] as const
  return (
    <>
      <div className={`${css.threeColumns} ${css.rule}`}>
        {columns.map((facts) => (
          <Facts key={facts[0].label} facts={facts} />
        ))}
      </div>
      {metrics.grossPnL > 0 && (
        <Text size="small" tone="text2" above={2} className={css.cost}>
          Costs took <b>{formatMoneyUnit(costs, quote)}</b>
          {costs < metrics.grossPnL
            ? ` of ${formatMoney(metrics.grossPnL)} earned before them: ${formatSharePct((100 * costs) / metrics.grossPnL)}.`
            : `, more than the ${formatMoneyUnit(metrics.grossPnL, quote)} earned before them.`}
        </Text>
      )}
    </>
  )
}

function SetUp(tested: Tested) {
  const { run, market } = tested
  const { params, meta } = run
  const policy = params.parameters?.policy
  return (
    <div className={css.threeColumns}>
      <Facts
        facts={[
          { label: 'Strategy', value: STRATEGY_LABEL[params.strategy] },
          { label: 'Risk', value: RISK_LABEL[params.riskLevel] },
          policy !== undefined && { label: 'How it trades', value: POLICIES[policy].name },
          { label: 'Position size', value: runSizeWords(run, market) },
          { label: 'Leverage', value: params.marketType === 'spot' ? 'Spot' : formatLeverage(params.leverage) },
          { label: 'Max drawdown', value: formatLimitPct(params.maxDrawdown) },
          { label: 'Fee, slippage', value: `${formatFeeRate(params.feeRate)}, ${formatBps(params.slippageBps)}` },
        ]}
      />
      <Facts
        facts={[
          { label: 'BUY signals', value: formatCount(meta.signals.buy) },
          { label: 'SELL signals', value: formatCount(meta.signals.sell) },
          { label: 'HOLD signals', value: formatCount(meta.signals.hold) },
          { label: 'Avg confidence', value: formatShareRatio(meta.avgConfidence) },
          { label: 'Entries / closes', value: `${formatCount(meta.entries)} / ${formatCount(meta.closes)}` },
        ]}
      />
      <Facts facts={positionFacts(tested)} />
    </div>
  )
}

const figureTone = (pct: number) => {
  const direction = directionOf(pct)
  return direction === 'flat' ? 'plain' : direction
}

/** What became of the money, then how the run was set up and what is still open: folded on a phone. */
export function BalanceCard({ run, market }: { run: BacktestRun; market: Market | undefined }) {
  const isNarrow = useIsNarrow()
  const { base, quote } = assetsOf(run.symbol, market)
  const unseen = unseenMetrics(run)
  const setUp = <SetUp run={run} market={market} base={base} quote={quote} />
  return (
    <Card title="Balance">
      <Row gap={3} lineGap={1} wrap align="stretch">
        <Figure label="Final" value={formatMoney(run.finalBalance)} unit={quote} size="L" />
        <Figure label="Initial" value={formatMoney(run.initialBalance)} size="L" tone="quiet" />
        <Figure
          label="Return"
          value={formatChangePct(run.totalReturnPct)}
          size="L"
          tone={unseen === null ? figureTone(run.totalReturnPct) : 'plain'}
        />
        {unseen !== null && (
          <Figure
            label="Return, unseen"
            value={formatChangePct(unseen.totalReturnPct)}
            size="L"
            tone={figureTone(unseen.totalReturnPct)}
          />
        )}
      </Row>
      <CostFacts run={run} quote={quote} />
      {isNarrow ? (
        <details className={css.rule}>
          <summary className={layout.summary}>Signals, position, parameters</summary>
          <div style={{ marginTop: 12 }}>{setUp}</div>
        </details>
      ) : (
        <div className={css.rule}>{setUp}</div>
      )}
    </Card>
  )
}
