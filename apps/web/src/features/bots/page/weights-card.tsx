import { type BotWeight, type BotWeights, botWeights } from '@shapecast/contracts/bot-weights'
import type { Bot } from '@shapecast/contracts/bots'
import { Scale } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { coinOf } from '#entities/bots/bot-words.ts'
import { formatMoney, formatMoneyUnit } from '#kit/format/money.ts'
import { formatCount, formatFixed, formatSigned, UNKNOWN } from '#kit/format/number.ts'
import { formatSharePct } from '#kit/format/percent.ts'
import { formatDate, formatDateTime } from '#kit/format/time.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card, InTab } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Note, Text } from '#kit/ui/primitives.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { REFRESH_MS, useIsMine } from '../use-bot.ts'
import css from './bot-page.module.css'
import { RebalancesCard, useRebalances } from './rebalances-card.tsx'

const RebalanceDialog = onDemand(async () => (await import('../menu/rebalance-dialog.tsx')).RebalanceDialog)

const pctOf = (value: number | null, digits = 1) => (value === null ? UNKNOWN : `${formatFixed(value, digits)}%`)

/** What a bot over several coins holds of each beside its target, and how it was brought there; its owner may do that now. */
export function WeightsTab({ bot }: { bot: Bot }) {
  const isMine = useIsMine(bot)
  const [isAsking, setIsAsking] = useState(false)
  /** Rebalances that there were when one was asked for. */
  const [askedAt, setAskedAt] = useState<number | null>(null)
  const total = useRebalances(bot.id, 1, askedAt !== null).data?.total ?? 0
  const isUnderWay = askedAt === total && bot.status === 'active'
  return (
    <>
      <WeightsCard
        bot={bot}
        action={
          isMine && (
            <Button
              size="small"
              startIcon={<Scale size={14} />}
              disabled={isUnderWay}
              onClick={() => setIsAsking(true)}
            >
              {isUnderWay ? 'Rebalancing…' : 'Rebalance now'}
            </Button>
          )
        }
      />
      <InTab value={false}>
        <div className={css.below}>
          <RebalancesCard bot={bot} isUnderWay={isUnderWay} />
        </div>
      </InTab>
      {isAsking && (
        <RebalanceDialog
          bot={bot}
          onDone={() => {
            setAskedAt(total)
            setIsAsking(false)
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

function WeightsCard({ bot, action }: { bot: Bot; action: ReactNode }) {
  const reply = useEndpointQuery(botWeights, { params: { id: bot.id } }, { refetchInterval: REFRESH_MS })
  return (
    <Card
      title="Weights"
      facts={reply.data !== undefined && `traded from ${formatFixed(reply.data.bandPct, 1)} points off its target on`}
      actions={action}
      flush
    >
      <QueryBoundary reply={reply} of="the weights" px={36} rows={bot.tradingPairs.length + 1} inset />
      {reply.data !== undefined && (
        <Weights weights={reply.data} sellsDead={reply.data.universe !== null && bot.isVirtual} />
      )}
    </Card>
  )
}

const COLUMNS: readonly Column<BotWeight>[] = [
  { head: 'Coin', keep: true, cell: ({ symbol }) => coinOf(symbol) },
  { head: 'Weight now, target', cell: (weight) => <WeightBar {...weight} /> },
  { head: 'Now', figure: true, keep: true, cell: ({ nowPct }) => formatSharePct(nowPct) },
  { head: 'Target', figure: true, keep: true, cell: ({ targetPct }) => formatSharePct(targetPct) },
  {
    head: 'Apart, points',
    figure: true,
    cell: ({ nowPct, targetPct }) => (targetPct === null ? UNKNOWN : formatSigned(nowPct - targetPct, 1)),
  },
  { head: 'Worth, USDT', figure: true, cell: ({ worth }) => formatMoney(worth) },
  { head: 'Volatility a year', figure: true, quiet: true, cell: ({ volatilityPct }) => pctOf(volatilityPct, 0) },
  { head: 'Share of the risk', figure: true, cell: ({ riskPct }) => pctOf(riskPct) },
]

/** The bar is what is held, the line its target; the whole width is the largest of all. */
const WeightBar = ({ nowPct, targetPct }: BotWeight) => (
  <div className={css.weight} aria-hidden>
    <span style={{ width: `${Math.min(100, nowPct)}%` }} />
    {targetPct !== null && <i style={{ left: `${Math.min(100, targetPct)}%` }} />}
  </div>
)

function Weights({ weights, sellsDead }: { weights: BotWeights; sellsDead: boolean }) {
  const { pairs, cashPct, equity, volatilityPct, correlations } = weights
  return (
    <>
      <DataTable
        label="Weights"
        columns={COLUMNS}
        rows={pairs}
        rowKey={({ symbol }) => symbol}
        rowName={({ symbol }) => coinOf(symbol)}
      />
      <div className={layout.listRow}>
        <Text size="small">
          Cash {formatSharePct(cashPct)} of {formatMoneyUnit(equity, 'USDT')}.{' '}
          {volatilityPct !== null && `As it is held now, the whole moves about ${pctOf(volatilityPct, 0)} a year.`}
        </Text>
        {weights.universe !== null && <Note>{universeWords(weights.universe)}</Note>}
        {pairs
          .flatMap((pair) => wordsOf(pair, sellsDead) ?? [])
          .map((words) => (
            <Note key={words} tone="warn">
              {words}
            </Note>
          ))}
      </div>
      {correlations.length > 0 && <Correlations weights={weights} />}
    </>
  )
}

/** `Held since 1 Nov 2024: BTC, ETH, the 2 most traded of its pairs in the 30 days before. ETH came, SOL left.` */
function universeWords({ count, since, held, came, left }: NonNullable<BotWeights['universe']>): string {
  const coins = (symbols: readonly string[]) => symbols.map(coinOf).join(', ')
  const most = `the ${count === 1 ? 'most' : `${count} most`} traded of its pairs in the 30 days before`
  const holds = held.length === 0 ? `none: no candles are known of ${most}` : `${coins(held)}, ${most}`
  const changed = [
    ...(came.length === 0 ? [] : [`${coins(came)} came`]),
    ...(left.length === 0 ? [] : [`${coins(left)} left`]),
  ]
  return `Held since ${formatDate(since)}: ${holds}.${changed.length === 0 ? '' : ` ${changed.join(', ')}.`}`
}

function wordsOf({ symbol, state, lastAt }: BotWeight, sellsDead: boolean): string | null {
  switch (state) {
    case 'follows':
      return null
    case 'no_target':
      return `${coinOf(symbol)} has no target yet: it is decided once enough candles are known.`
    case 'silent':
      return `${coinOf(symbol)} has had no candle since ${formatDateTime(lastAt)}: its weight is kept until it has one again${sellsDead ? ', or the month ends: then it is sold at its last price' : ''}.`
    default:
      return state satisfies never
  }
}

/** Below the diagonal: each coin of a row with those before it. */
function Correlations({ weights: { pairs, correlations } }: { weights: BotWeights }) {
  const symbols = pairs.map(({ symbol }) => symbol)
  const of = (a: string, b: string) => correlations.find((one) => one.a === a && one.b === b)?.value
  const mean = correlations.reduce((sum, { value }) => sum + value, 0) / correlations.length
  const n = symbols.length
  const columns: readonly Column<string>[] = [
    { head: 'Correlation', keep: true, cell: coinOf },
    ...symbols.slice(0, -1).map(
      (other, j): Column<string> => ({
        head: coinOf(other),
        figure: true,
        keep: j === 0,
        cell: (symbol) => (symbols.indexOf(symbol) > j ? formatFixed(of(symbol, other) ?? null, 2) : ''),
      }),
    ),
  ]
  return (
    <>
      <DataTable
        label="Correlation"
        columns={columns}
        rows={symbols.slice(1)}
        rowKey={(symbol) => symbol}
        rowName={coinOf}
      />
      <div className={layout.listRow}>
        <Note as="p">
          Of the moves of each candle, those of 30 days ago counting half. Mean {formatFixed(mean, 2)}: {formatCount(n)}{' '}
          coins of one volatility spread the risk like {formatFixed(n / (1 + (n - 1) * Math.max(0, mean)), 1)} that move
          apart.
        </Note>
      </div>
    </>
  )
}
