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
import { factorInterval, runSizeWords } from '../run-summary.ts'
import css from './opened-run.module.css'

function positionFacts(run: BacktestRun, market: Market | undefined, base: string, quote: string): Fact[] {
  const { openPosition } = run
  if (openPosition === null) return [{ label: 'Open position', value: 'None' }]
  return [
    {
      label: 'Open position',
      value: (
        <div style={{ display: 'flex', justifyContent: 'flex-end' }}>
          <SideMark side={openPosition.side} />
        </div>
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
  return (
    <>
      <div className={`${css.threeColumns} ${css.rule}`}>
        <Facts
          facts={[
            { label: 'Gross PnL', value: formatPnlUnit(metrics.grossPnL, quote) },
            { label: 'Net PnL', value: formatPnlUnit(metrics.netPnL, quote) },
          ]}
        />
        <Facts
          facts={[
            { label: 'Fees', value: formatPnlUnit(-metrics.fees, quote) },
            { label: 'Slippage', value: formatPnlUnit(-metrics.slippageCost, quote) },
          ]}
        />
        <Facts
          facts={[
            { label: 'Funding', value: isFundingKnown ? formatPnlUnit(metrics.funding, quote) : '—' },
            { label: 'Profit factor, 95%', value: factorInterval(run.intervals) ?? '—' },
          ]}
        />
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

/** How the run was set up, what it decided, and what is still open. */
const SetUp = ({
  run,
  market,
  base,
  quote,
}: {
  run: BacktestRun
  market: Market | undefined
  base: string
  quote: string
}) => (
  <div className={css.threeColumns}>
    <Facts
      facts={[
        { label: 'Strategy', value: STRATEGY_LABEL[run.params.strategy] },
        { label: 'Risk', value: RISK_LABEL[run.params.riskLevel] },
        ...(run.params.parameters?.policy === undefined
          ? []
          : [{ label: 'How it trades', value: POLICIES[run.params.parameters.policy].name }]),
        { label: 'Position size', value: runSizeWords(run, market) },
        { label: 'Leverage', value: run.params.marketType === 'spot' ? 'Spot' : formatLeverage(run.params.leverage) },
        { label: 'Max drawdown', value: formatLimitPct(run.params.maxDrawdown) },
        { label: 'Fee, slippage', value: `${formatFeeRate(run.params.feeRate)}, ${formatBps(run.params.slippageBps)}` },
      ]}
    />
    <Facts
      facts={[
        { label: 'BUY signals', value: formatCount(run.meta.signals.buy) },
        { label: 'SELL signals', value: formatCount(run.meta.signals.sell) },
        { label: 'HOLD signals', value: formatCount(run.meta.signals.hold) },
        { label: 'Avg confidence', value: formatShareRatio(run.meta.avgConfidence) },
        { label: 'Entries / closes', value: `${formatCount(run.meta.entries)} / ${formatCount(run.meta.closes)}` },
      ]}
    />
    <Facts facts={positionFacts(run, market, base, quote)} />
  </div>
)

/** What became of the money, then how the run was set up and what is still open: folded on a phone. */
export function BalanceCard({ run, market }: { run: BacktestRun; market: Market | undefined }) {
  const isNarrow = useIsNarrow()
  const { base, quote } = assetsOf(run.symbol, market)
  const direction = directionOf(run.totalReturnPct)
  // Without a seen part the whole range is the unseen one.
  const unseen = run.seenRatio > 0 ? (run.seen.unseen?.metrics ?? null) : null
  const unseenDirection = directionOf(unseen?.totalReturnPct)
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
          tone={unseen === null ? (direction === 'flat' ? 'plain' : direction) : 'plain'}
        />
        {unseen !== null && (
          <Figure
            label="Return, unseen"
            value={formatChangePct(unseen.totalReturnPct)}
            size="L"
            tone={unseenDirection === 'flat' ? 'plain' : unseenDirection}
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
