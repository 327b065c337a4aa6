import { Box } from '@mui/material'
import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { Market } from '@shapecast/contracts/market'
import { formatMoney, formatPnlUnit, formatPrice, formatQuantityAsset } from '../../../shared/format/money.ts'
import { directionOf, formatCount, formatLeverage } from '../../../shared/format/number.ts'
import {
  formatBps,
  formatChangePct,
  formatFeeRate,
  formatLimitPct,
  formatShareRatio,
} from '../../../shared/format/percent.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { type Fact, Facts } from '../../../shared/ui/facts.tsx'
import { Figure } from '../../../shared/ui/figure.tsx'
import { SideMark } from '../../../shared/ui/side-mark.tsx'
import { directionColor } from '../../../shared/ui/tone.ts'
import { assetsOf, STRATEGY_LABEL, sentenceCase } from '../parameters/options.ts'
import { factorInterval } from './uncertainty-words.ts'

function positionFacts(run: BacktestRun, market: Market | undefined, base: string, quote: string): Fact[] {
  const { openPosition } = run
  if (openPosition === null) return [{ label: 'Open position', value: 'None' }]
  const pnl = openPosition.unrealizedPnL
  return [
    {
      label: 'Open position',
      value: (
        <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
          <SideMark side={openPosition.side} />
        </Box>
      ),
    },
    { label: 'Entry price', value: formatPrice(openPosition.entryPrice, market?.tickSize) },
    { label: 'Quantity', value: formatQuantityAsset(openPosition.quantity, base, market?.lotSize) },
    {
      label: 'Unrealized PnL',
      value: <span style={{ color: directionColor(directionOf(pnl)) }}>{formatPnlUnit(pnl, quote)}</span>,
    },
  ]
}

const threeColumns = {
  pt: 2,
  borderTop: `1px solid ${colors.divider}`,
  display: 'grid',
  alignItems: 'start',
  columnGap: 4,
  rowGap: 1,
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 192px), 1fr))',
} as const

/** From gross to net: gross − fees − slippage + funding = net. */
function CostFacts({ run, quote }: { run: BacktestRun; quote: string }) {
  const { metrics } = run
  const signed = (value: number) => (
    <span style={{ color: directionColor(directionOf(value)) }}>{formatPnlUnit(value, quote)}</span>
  )
  const isFundingKnown = run.params.marketType === 'spot' || run.meta.fundingKnown
  return (
    <Box sx={{ ...threeColumns, mt: 2 }}>
      <Facts
        facts={[
          { label: 'Gross PnL', value: signed(metrics.grossPnL) },
          { label: 'Net PnL', value: signed(metrics.netPnL) },
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
          { label: 'Profit factor, 95%', value: factorInterval(run.uncertainty) ?? '—' },
        ]}
      />
    </Box>
  )
}

/** What became of the money, how the run was set up, and what is still open. */
export function BalanceCard({ run, market }: { run: BacktestRun; market: Market | undefined }) {
  const { base, quote } = assetsOf(run.symbol, market)
  const { params, meta } = run
  const direction = directionOf(run.totalReturnPct)
  // Without a seen part the whole range is the unseen one.
  const unseen = run.seenRatio > 0 ? (run.seen.unseen?.metrics ?? null) : null
  const unseenDirection = directionOf(unseen?.totalReturnPct)
  return (
    <Card title="Balance">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 1, pb: 1.75 }}>
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
      </Box>
      <Box sx={threeColumns}>
        <Facts
          facts={[
            { label: 'Strategy', value: STRATEGY_LABEL[params.strategy] },
            { label: 'Risk', value: sentenceCase(params.riskLevel) },
            { label: 'Position size', value: formatQuantityAsset(params.positionSize, base) },
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
        <Facts facts={positionFacts(run, market, base, quote)} />
      </Box>
      <CostFacts run={run} quote={quote} />
    </Card>
  )
}
