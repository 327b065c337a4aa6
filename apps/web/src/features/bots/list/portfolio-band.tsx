import type { PortfolioHistory, PortfolioSpan } from '@shapecast/contracts/portfolio'
import { OctagonX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { LineMark } from '#charts/legend-pattern.tsx'
import { PortfolioPlot } from '#charts/plots/portfolio-plot.tsx'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import { type BotSummary, type MoneySum, stateWords } from '#entities/bots/bot-summary.ts'
import { formatMoney, formatMoneyUnit, formatPnl } from '#kit/format/money.ts'
import { directionOf, formatCount, formatCounted, formatFixed, MINUS, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatioShort } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button } from '#kit/ui/button.tsx'
import card from '#kit/ui/card.module.css'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { Explained } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Column, Columns, directionColor, Note, Row, Text, toneOf, Unit } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useRealTrading } from '../real/use-real-trading.ts'
import css from './portfolio-band.module.css'

const SPANS = { '30d': '30 days', '90d': '90 days', all: 'All' } as const satisfies Record<PortfolioSpan, string>
const SPAN_WORDS = { '30d': 'in 30 days', '90d': 'in 90 days', all: 'so far' } as const

/** A fall from a peak, which comes positive: `−6.50%`. */
const fallWords = (pct: number | undefined): string =>
  pct === undefined ? UNKNOWN : `${pct >= 0.005 ? MINUS : ''}${formatFixed(pct, 2)}%`

/** What the reader's virtual bots are worth together, how that went, and what they hold. */
export function PortfolioBand({
  summary,
  history,
  span,
  onSpan,
}: {
  summary: BotSummary
  /** Undefined while it is on its way; null where there is none. */
  history: PortfolioHistory | null | undefined
  span: PortfolioSpan
  onSpan: (span: PortfolioSpan) => void
}) {
  const { money } = summary
  const hasCurve = history != null && history.points.length > 1
  return (
    <Band>
      <section aria-label="Total equity" className={`${card.card} ${css.equity}`}>
        <Column gap={1.5} style={{ alignContent: 'space-between' }}>
          <div>
            <Text size="label" tone="text2">
              <Explained label="Total equity" /> <Note as="span">{money.isVirtual ? 'virtual' : 'real money'}</Note>
            </Text>
            <Text as="div" size="numberL">
              {formatMoney(money.equity)} <Unit>USDT</Unit>
            </Text>
            <Note tone="text2">
              Total balance {formatMoney(money.equity - money.open)} · open {formatPnl(money.open)}
            </Note>
          </div>
          <dl className={css.legend}>
            <dt>
              <LineMark color={colors.text} /> {SPANS[span]}
            </dt>
            <dd>{formatChangePct(history?.points.at(-1)?.pct)}</dd>
            <dt>
              <LineMark color={colors.text3} /> Their pairs held
            </dt>
            <dd>{formatChangePct(history?.hold.at(-1)?.pct)}</dd>
          </dl>
        </Column>
        <div className={css.curve}>
          <ToggleGroup label="Time shown" size="small" value={span} onChange={onSpan} choices={SPANS} />
          {history === undefined ? (
            <SkeletonGroup label="Loading the curve" height={96} />
          ) : hasCurve ? (
            <PortfolioPlot
              history={history}
              label={`All bots ${formatChangePct(history.points.at(-1)!.pct)} ${SPAN_WORDS[span]}, their pairs held ${formatChangePct(history.hold.at(-1)?.pct)}`}
            />
          ) : (
            <Note style={{ alignSelf: 'center' }}>
              The curve begins with the first full hour after a bot is started.
            </Note>
          )}
        </div>
      </section>
      <section aria-label="Together" className={`${card.card} ${css.cells}`}>
        <Cell
          label="Total P&L"
          value={formatPnl(money.pnl)}
          color={directionColor(directionOf(money.pnl))}
          unit="USDT"
          evidence={`Closed ${formatPnl(money.closed)} · open ${formatPnl(money.open)}`}
        />
        <Cell
          label="Drawdown now"
          value={fallWords(history?.drawdownPct)}
          evidence={`Worst ${SPAN_WORDS[span]} ${fallWords(history?.worstDrawdownPct)}`}
        />
        <Cell label="Open positions" value={formatCount(money.positions)} evidence={worthWords(money)} />
        <Cell label="My bots" value={formatCount(summary.count)} evidence={stateWords(summary)} />
      </section>
    </Band>
  )
}

/** Beside each other where there is room. */
const Band = ({ children }: { children: ReactNode }) => (
  <Columns gap={0} style={{ gap: 'var(--gap)' }} at={{ lg: 'minmax(0, 2fr) minmax(0, 1fr)' }}>
    {children}
  </Columns>
)

function worthWords({ worth, equity, exposure }: MoneySum): string {
  if (exposure.length === 0) return 'All in USDT'
  const share = equity > 0 ? ` · ${formatShareRatioShort(worth / equity)} of equity` : ''
  return `Worth ${formatMoney(worth)}${share}`
}

const Cell = ({
  label,
  value,
  color,
  unit,
  evidence,
}: Record<'label' | 'value' | 'evidence', string> & { color?: string; unit?: string }) => (
  <div className={css.cell}>
    <Text size="label" tone="text2">
      <Explained label={label} />
    </Text>
    <div>
      <Text as="span" size="numberM" style={{ color }}>
        {value}
      </Text>{' '}
      {unit !== undefined && <Unit>{unit}</Unit>}
    </div>
    <Note tone="text2">{evidence}</Note>
  </div>
)

/** What is held of each coin, over all bots, as shares of their equity: `BTC 41% · ETH 22% · SOL short 6%`. */
export function ExposureLine({ money }: { money: MoneySum }) {
  if (money.exposure.length === 0) return null
  return (
    <Row as="ul" wrap gap={2} lineGap={0.5} align="stretch" className={layout.list} aria-label="Exposure by coin">
      <li aria-hidden="true">
        <Note as="span">Exposure</Note>
      </li>
      {money.exposure.map(({ asset, worth }) => (
        <li key={asset} title={formatMoneyUnit(worth, 'USDT')}>
          <Text as="span" size="small" tone="text2">
            {asset}
          </Text>{' '}
          <Text as="span" size="small">
            {worth < 0 ? 'short ' : ''}
            {money.equity > 0 ? formatShareRatioShort(Math.abs(worth) / money.equity) : formatMoney(Math.abs(worth))}
          </Text>
        </li>
      ))}
    </Row>
  )
}

export const BandSkeleton = () => (
  <SkeletonGroup label="Loading the bots">
    <Band>
      <SkeletonBox height={160} />
      <SkeletonBox height={160} />
    </Band>
  </SkeletonGroup>
)

/** Real money, which is never added to virtual; `money` is null where none of it is the reader's. */
export function RealStrip({ money, maySwitch }: { money: MoneySum | null; maySwitch: boolean }) {
  return (
    <section aria-label="Real money" className={css.strip}>
      <MoneyChip isVirtual={false} />
      {money === null ? (
        <Text size="small" tone="text2">
          Bots trade real money on this installation.
        </Text>
      ) : (
        <>
          <Text as="span">
            <strong>{formatMoney(money.equity)}</strong> USDT in {formatCounted(money.count, 'bot')}, not in the sum
            above
          </Text>
          <Text as="span" size="small" tone="text2">
            P&L{' '}
            <Text as="span" size="small" tone={toneOf(money.pnl)}>
              {formatPnl(money.pnl)}
            </Text>{' '}
            · closed {formatPnl(money.closed)}, open {formatPnl(money.open)}
          </Text>
          <Text as="span" size="small" tone="text2">
            {formatCounted(money.positions, 'position')}
            {money.positions > 0 && `, ${formatMoneyUnit(money.worth, 'USDT')}`}
          </Text>
        </>
      )}
      {maySwitch && <KillSwitchButton />}
    </section>
  )
}

const KillSwitchDialog = onDemand(async () => (await import('../real/kill-switch-dialog.tsx')).KillSwitchDialog)

/** Stops all bots with real money. Once it is on, the banner above every page goes on from there. */
function KillSwitchButton() {
  const { data } = useRealTrading()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        variant="danger"
        startIcon={<OctagonX size={16} />}
        disabled={data?.killed === true}
        title={data?.killed === true ? 'It is on' : 'Stops every bot with real money at once'}
        onClick={() => setIsAsking(true)}
        style={{ marginLeft: 'auto' }}
      >
        Stop everything
      </Button>
      {isAsking && <KillSwitchDialog state={data} onClose={() => setIsAsking(false)} />}
    </>
  )
}
