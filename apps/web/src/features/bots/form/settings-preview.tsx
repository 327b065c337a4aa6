import { type BotPreview, previewBot, SIMULATED_PREVIEW } from '@shapecast/contracts/bot-preview'
import { holdsShare, POLICIES } from '@shapecast/contracts/policies'
import { OutcomeBandsPlot } from '#charts/plots/outcome-bands-plot.tsx'
import { coinOf } from '#entities/bots/bot-words.ts'
import { postedWords } from '#entities/bots/costs.ts'
import { formatMoney, formatMoneyUnit } from '#kit/format/money.ts'
import { formatCount, formatCounted, formatFixed, UNKNOWN } from '#kit/format/number.ts'
import { formatBps, formatChangePct, formatFeeRate } from '#kit/format/percent.ts'
import { formatDate, formatMonth } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { DataTable, type Column as TableColumn } from '#kit/ui/data-table.tsx'
import { Column, Text } from '#kit/ui/primitives.tsx'
import { useSettled } from '#kit/ui/use-settled.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { TimeToKnow } from '../evidence/time-to-know.tsx'
import { botCosts } from './bot-body.ts'
import { type BotForm, FIELD_LABEL, type FormField } from './bot-form.ts'
import { FormNote, FormSection, useBotForm } from './form-section.tsx'

const WAIT_MS = 400
const DAY_MS = 86_400_000
const COUNTED: readonly FormField[] = [
  'initialBalance',
  'tradingPairs',
  'timeframe',
  'maxDrawdown',
  'feePct',
  'makerPct',
  'slippageBps',
]

/** What its money depends on, as the call takes it. */
const bodyOf = (form: BotForm) => ({
  strategy: form.strategy,
  tradingPairs: [...form.tradingPairs],
  maxDrawdown: form.maxDrawdown ?? 0,
  riskLevel: form.riskLevel,
  initialBalance: form.initialBalance ?? 0,
  marketType: form.marketType,
  parameters: {
    policy: form.policy,
    timeframe: form.timeframe,
    ...(form.mostTraded !== null && { mostTraded: form.mostTraded }),
    ...botCosts(form),
  },
})

interface PreviewProps {
  /** Fills in what is recommended; undefined where that stands there already. */
  onRecommended: (() => void) | undefined
}

/** What exactly these settings did on the candles that are stored here, beside buying the pairs and keeping them. */
export function SettingsPreview({ onRecommended }: PreviewProps) {
  const { form } = useBotForm()
  const { name } = POLICIES[form.policy]
  return (
    <FormSection
      title="What these settings did before"
      head={
        <FormNote>
          {formatMoneyUnit(form.initialBalance, 'USDT')}, {holdsShare(form.policy) ? `${form.riskLevel} risk` : name},
          max drawdown {form.maxDrawdown ?? UNKNOWN}%, fee and slippage paid
        </FormNote>
      }
    >
      <div>
        <Preview onRecommended={onRecommended} />
      </div>
    </FormSection>
  )
}

function Preview({ onRecommended }: PreviewProps) {
  const { form, wrong: errors } = useBotForm()
  const asksModel = form.policy === 'signal' || form.policy === 'model_brake'
  const wrong = COUNTED.filter((field) => errors[field] !== undefined)
  const body = JSON.stringify(bodyOf(form))
  const settled = useSettled(body, WAIT_MS)
  const isSimulated = useHealth().data?.market === 'simulated'
  const reply = useEndpointQuery(
    previewBot,
    { body: JSON.parse(settled) },
    {
      enabled: !asksModel && !isSimulated && wrong.length === 0 && settled === body,
      staleTime: 5 * 60_000,
      retry: false,
      placeholderData: (before) => before,
    },
  )
  if (asksModel) return <FormNote>It asks a model: only a backtest of that model says what it did.</FormNote>
  if (isSimulated) return <FormNote>{SIMULATED_PREVIEW}</FormNote>
  if (wrong.length > 0)
    return (
      <FormNote>Waits for the fields marked above: {wrong.map((field) => FIELD_LABEL[field]).join(', ')}.</FormNote>
    )
  if (reply.isError && settled === body)
    return <FormNote>{errorInFull(reply.error, 'What these settings did could not be worked out.')}</FormNote>
  if (reply.data === undefined)
    return (
      <SkeletonGroup label="Working it out">
        <Column gap={1}>
          {['60%', '92%', '88%'].map((width) => (
            <SkeletonBox key={width} width={width} />
          ))}
        </Column>
      </SkeletonGroup>
    )
  const isOld = settled !== body || reply.isPlaceholderData
  return (
    <Column gap={1} style={{ opacity: isOld ? 0.5 : 1 }} aria-busy={isOld}>
      <Found preview={reply.data} onRecommended={onRecommended} />
    </Column>
  )
}

interface Row extends Pick<BotPreview, 'from' | 'to' | 'policyRun' | 'holdRun'> {
  readonly name: string
  /** How its balance is split. */
  readonly split?: string
}

const drawdown = (pct: number) => `${formatFixed(-pct, 1)}%`
const daysUntilHalt = ({ from, policyRun }: Row): number => Math.round((policyRun.haltedAt! - from) / DAY_MS)

const COLUMNS: readonly TableColumn<Row>[] = [
  {
    head: 'Market',
    cell: ({ name, split }) => (
      <>
        <strong>{name}</strong>
        {split !== undefined && ` ${split}`}
      </>
    ),
    keep: true,
    whole: true,
  },
  { head: 'Period', cell: ({ from, to }) => `${formatMonth(from)} – ${formatMonth(to)}`, whole: true },
  {
    head: 'Final, USDT',
    cell: ({ policyRun }) => <strong>{formatMoney(policyRun.finalBalance)}</strong>,
    figure: true,
    keep: true,
  },
  {
    head: 'Worst drawdown',
    cell: ({ policyRun }) => <strong>{drawdown(policyRun.maxDrawdownPct)}</strong>,
    figure: true,
    keep: true,
  },
  {
    head: 'Halted on',
    cell: (row) =>
      row.policyRun.haltedAt === null ? (
        'never'
      ) : (
        <>
          <Text as="span" size="small" tone="warn">
            {formatDate(row.policyRun.haltedAt)}
          </Text>{' '}
          after {formatCounted(daysUntilHalt(row), 'day')}
        </>
      ),
    whole: true,
    quiet: true,
  },
  {
    head: 'Buy and hold, USDT',
    cell: ({ holdRun }) => formatMoney(holdRun.finalBalance),
    figure: true,
    quiet: true,
    split: true,
  },
  { head: 'Its worst', cell: ({ holdRun }) => drawdown(holdRun.maxDrawdownPct), figure: true, quiet: true },
]

function Found({ preview, onRecommended }: PreviewProps & { preview: BotPreview }) {
  // Of its pairs so many are held at a time; null for all.
  const { mostTraded, maxDrawdown: limitPct } = useBotForm().form
  const { policyRun, holdRun, alone, edge, years, symbols, from, to, candles, timeframe } = preview
  const { feeRate, slippageBps, postOnly } = preview
  const rows: Row[] = [
    ...alone.map(({ symbol, ...run }) => ({ name: coinOf(symbol), ...run })),
    mostTraded !== null
      ? { ...preview, name: `${mostTraded} most traded`, split: `of ${symbols.length}` }
      : alone.length === 0
        ? { ...preview, name: coinOf(symbols[0]!) }
        : { ...preview, name: `All ${symbols.length}`, split: 'in equal parts' },
  ]
  const halted = rows.filter((row) => row.policyRun.haltedAt !== null)
  return (
    <>
      <DataTable
        label="What these settings did before"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ name }) => name}
        rowName={({ name }) => name}
      />
      {halted.length > 0 ? (
        <Banner
          kind="warning"
          title={`The limit of ${limitPct}% would have halted it${rows.length === 1 ? '' : ` on ${halted.length === rows.length ? 'every market' : halted.map(({ name }) => name).join(' and ')}`}, after ${daysWords(halted.map(daysUntilHalt))}.`}
          action={
            onRecommended !== undefined && (
              <Button size="small" variant="text" onClick={onRecommended}>
                Use the recommended
              </Button>
            )
          }
        />
      ) : (
        <FormNote>
          Never halted: at worst it fell by {formatFixed(policyRun.maxDrawdownPct, 1)}%, holding by{' '}
          {formatFixed(holdRun.maxDrawdownPct, 1)}%.
          {policyRun.finalBalance < holdRun.finalBalance && ' It ended below holding.'}
        </FormNote>
      )}
      {policyRun.tooSmall > 0 && (
        <FormNote isWarning weight={500}>
          {formatCounted(policyRun.tooSmall, 'order')} would have been below the market’s smallest order.
        </FormNote>
      )}
      {years !== null && (
        <OutcomeBandsPlot
          label={`Return by months held, from ${formatCounted(years.starts, 'starting day')}`}
          name="These settings"
          own={years.policy.returnPctByMonth}
          hold={years.hold.returnPctByMonth}
        />
      )}
      <FormNote>
        {symbols.map(coinOf).join(', ')}, {formatDate(from)} to {formatDate(to)}, {formatCount(candles)} stored candles
        of {timeframe}; fee {formatFeeRate(feeRate)} and slippage {formatBps(slippageBps)} on each order
        {postOnly !== undefined && `, ${formatFeeRate(postOnly.makerFeeRate)} at a post-only limit`}.
        {policyRun.posted !== undefined && ` ${postedWords(policyRun.posted)}`}
        {years !== null &&
          ` Of ${formatCounted(years.starts, 'one-year start')} on them the limit would have halted ${years.halted === 0 ? 'none' : formatCount(years.halted)}; the middle half of these years ended between ${formatChangePct(years.policy.returnPct.p25)} and ${formatChangePct(years.policy.returnPct.p75)}, holding between ${formatChangePct(years.hold.returnPct.p25)} and ${formatChangePct(years.hold.returnPct.p75)}.`}{' '}
        {mostTraded !== null &&
          `Buy and hold is equal parts of those that were there at the start. Your market has only these ${symbols.length} coins: those that died before are not among them, so the past looks better than it was. `}
        One history, not a promise.
      </FormNote>
      {edge !== null && <TimeToKnow edge={edge} />}
    </>
  )
}

/** `5 days`, `4 to 10 days` */
function daysWords(days: readonly number[]): string {
  const [least, most] = [Math.min(...days), Math.max(...days)]
  return least === most ? formatCounted(most, 'day') : `${formatCount(least)} to ${formatCounted(most, 'day')}`
}
