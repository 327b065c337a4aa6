import { MOST_POSITION_SIZE } from '@shapecast/contracts/bots'
import { holdsShare, mostDrawdownPct, RISK_PCT_A_YEAR, STOPS_HINT } from '@shapecast/contracts/policies'
import { RISK_LABEL } from '#entities/bots/bot-words.ts'
import { CostFields } from '#entities/bots/cost-fields.tsx'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatFixed } from '#kit/format/number.ts'
import { fieldsOf } from '#kit/ui/field.tsx'
import layout from '#kit/ui/layout.module.css'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column, Note } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { type BotForm, NEW_BOT, type SizeUnit } from './bot-form.ts'
import { FieldRow, FormNote, FormSection, ToggleField, useBotForm, useChosenMarket } from './form-section.tsx'
import { type PositionWorth, positionWorth } from './position-worth.ts'
import { LimitNotes, ShareNow } from './risk-notes.tsx'

/** How much it may risk. A policy is sized by the risk level, so that the fields of the signal are off. */
export function RiskSection() {
  const { form, change, field } = useBotForm()
  const isSignal = form.policy === 'signal'
  return (
    <FormSection title="Risk and size">
      <FieldRow columns="minmax(0, 2fr) repeat(3, minmax(0, 1fr))">
        <SizeField />
        <NumberField {...field('maxDrawdown')} min={1} max={mostDrawdownPct(form.policy)} step={1} unit="%" />
        <NumberField {...field('takeProfitPct')} min={0} step={0.5} unit="%" disabled={!isSignal} />
        <NumberField {...field('stopLossPct')} min={0} max={100} step={0.5} unit="%" disabled={!isSignal} />
      </FieldRow>
      <Note as="p">
        {isSignal && STOPS_HINT} At the drawdown limit the position is closed at the next price and the bot pauses.
      </Note>
      <ToggleField
        {...field('riskLevel')}
        help={riskHelp(form)}
        fullWidth={false}
        choices={(['low', 'medium', 'high'] as const).map((level) => ({
          value: level,
          label: `${RISK_LABEL[level]} ${RISK_PCT_A_YEAR[level]}%`,
        }))}
      />
      <ShareNow />
      <LimitNotes />
      {isSignal && form.strategy === 'ml' && (
        <SwitchRow
          title="Only above cost"
          text="Holds unless the expected edge is larger than fee and slippage. At 1h that is seldom."
          checked={form.requireEdge}
          onChange={(requireEdge) => change({ requireEdge })}
        />
      )}
    </FormSection>
  )
}

const riskHelp = (form: BotForm): string =>
  form.policy === 'fixed_share'
    ? 'Fixed share is always half invested.'
    : form.policy === 'signal'
      ? 'Model signal trades the size above. The risk level sizes the other policies.'
      : 'How far the balance may swing in a year. Decided once a day, at the first close after 00:00 UTC.'

function SizeField() {
  const { form, change, field } = useBotForm()
  const { base, price, smallestOrder } = useChosenMarket(form.tradingPairs)
  const isSignal = form.policy === 'signal'
  const worth = isSignal
    ? positionWorth({
        size: form.size,
        unit: form.sizeUnit,
        balance: form.initialBalance,
        price,
        leverage: form.marketType === 'spot' ? 1 : form.leverage,
        maxDrawdownPct: form.maxDrawdown,
      })
    : null
  const units: readonly { value: SizeUnit; label: string }[] = [
    ...(base === null ? [] : [{ value: 'base' as const, label: base }]),
    { value: 'quote', label: 'USDT' },
    { value: 'percent', label: '% of balance' },
    ...(form.sizeUnit === 'volatility' ? [{ value: 'volatility' as const, label: '% risk a year' }] : []),
  ]
  return (
    <div className={layout.shrinks}>
      <Column gap={1} style={{ gridTemplateColumns: 'minmax(0, 1fr) 120px', alignItems: 'start' }}>
        <NumberField
          {...field('size')}
          {...(!isSignal && { value: null, placeholder: 'By the risk level' })}
          min={form.sizeUnit === 'base' ? 0.001 : 0}
          {...(form.sizeUnit === 'base' && { max: MOST_POSITION_SIZE })}
          step={form.sizeUnit === 'base' ? 0.001 : 1}
          disabled={!isSignal}
        />
        <SelectField
          label="Unit"
          value={form.sizeUnit}
          onChange={(sizeUnit) => change({ sizeUnit })}
          options={units}
          disabled={!isSignal}
        />
      </Column>
      {worth !== null && (
        <WorthLine
          worth={worth}
          smallestOrder={smallestOrder}
          isOwn={WORTH_OF.some((key) => form[key] !== NEW_BOT[key])}
        />
      )}
    </div>
  )
}

/** What the worth of a position follows from. */
const WORTH_OF = ['size', 'sizeUnit', 'initialBalance', 'marketType', 'leverage'] as const

/**
 * `≈ 970.00 USDT · 9.7× balance`; amber above the balance, with what the balance carries of it or how little it takes to
 * reach the limit, and where it is less than the market takes. Values that nobody has changed yet are said without a warning.
 */
function WorthLine({
  worth,
  smallestOrder,
  isOwn,
}: {
  worth: PositionWorth
  smallestOrder: number | null
  isOwn: boolean
}) {
  const isBeyond = worth.timesBalance > 1
  const isTooSmall = smallestOrder !== null && worth.carried < smallestOrder
  return (
    <FormNote isWarning={(isBeyond && isOwn) || isTooSmall} tone="text3" above={0.75}>
      ≈ {formatMoneyUnit(worth.notional, 'USDT')} · {formatFixed(worth.timesBalance, 1)}× balance
      {isTooSmall && (
        <span style={{ display: 'block' }}>
          Below the market’s smallest order of {formatMoneyUnit(smallestOrder, 'USDT')}: no order would be made.
        </span>
      )}
      {worth.carried < worth.notional && (
        <span style={{ display: 'block' }}>
          The balance carries {formatMoneyUnit(worth.carried, 'USDT')} at most: it opens no more.
        </span>
      )}
      {worth.timesCarried > 1 && (
        <span style={{ display: 'block' }}>
          A move of {formatFixed(worth.pctToLimit, 1)}% against it reaches the drawdown limit.
        </span>
      )}
    </FormNote>
  )
}

/** An equal share of the balance in the first pair. */
const orderOf = ({ tradingPairs, initialBalance }: BotForm) => {
  const [symbol] = tradingPairs
  return symbol === undefined || initialBalance === null
    ? null
    : { symbol, notional: initialBalance / tradingPairs.length }
}

/** What the orders of a bot are taken to cost. */
export function CostSection() {
  const { form, change, errors } = useBotForm()
  return (
    <FormSection title="Costs">
      <CostFields
        values={form}
        change={change}
        errors={errors}
        market={form.marketType}
        order={orderOf(form)}
        poster={holdsShare(form.policy) ? { policy: form.policy, timeframe: form.timeframe } : null}
      />
      {!form.isVirtual && (
        <FormNote>
          The exchange charges its own. By these the bot sizes its orders, and says what post-only orders saved.
        </FormNote>
      )}
    </FormSection>
  )
}

/** The most that a bot with real money may do. Its owner's limits and those of all real bots hold besides. */
export function RealLimitsSection() {
  const { form, change, errors } = useBotForm()
  const field = fieldsOf(form.limits, (part) => change({ limits: { ...form.limits, ...part } }), errors)
  return (
    <FormSection title="Limits for real money">
      <FieldRow columns="repeat(4, minmax(0, 1fr))">
        <NumberField label="Largest purchase" {...field('maxOrderNotional')} min={0} unit="USDT" />
        <NumberField label="Holds at most" {...field('maxPositionNotional')} min={0} unit="USDT" />
        <NumberField label="Loss a day" {...field('maxDayLoss')} min={0} unit="USDT" help="Then it sells and pauses." />
        <NumberField label="Purchases a day" {...field('maxDayOrders')} min={1} step={1} />
      </FieldRow>
    </FormSection>
  )
}
