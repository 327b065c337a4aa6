import { FILLS_NEEDED, ownSlippage } from '@shapecast/contracts/own-slippage'
import { useState } from 'react'
import { formatCounted, formatFixed } from '#kit/format/number.ts'
import { formatLimitPct } from '#kit/format/percent.ts'
import { Button } from '#kit/ui/button.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column, Note, Row } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { type CostValues, type Poster, venuesOf, whyNotPosted } from './costs.ts'

const OWN = 'own'

/** Fees as a venue publishes them, with and without the discount of its coin; or those that are typed. */
export function FeesByVenue({
  market,
  feePct,
  makerPct,
  change,
}: {
  market: 'spot' | 'futures'
  /** Percent; null where it is empty. */
  feePct: number | null
  /** Left out where nothing rests. */
  makerPct?: number | null
  change: (fees: { feePct: number; makerPct: number }) => void
}) {
  const venues = venuesOf(market)
  const [picked, setPicked] = useState<string>()
  const fitting = venues.filter(
    (venue) => venue.feePct === feePct && (makerPct === undefined || venue.makerPct === makerPct),
  )
  // Some venues take the same.
  const chosen = fitting.find(({ value }) => value === picked) ?? fitting[0]
  return (
    <SelectField
      label="Fees"
      labelNote="maker / taker"
      value={chosen?.value ?? OWN}
      onChange={(name) => {
        setPicked(name)
        const venue = venues.find(({ value }) => value === name)
        if (venue !== undefined) change({ feePct: venue.feePct, makerPct: venue.makerPct })
      }}
      options={[{ value: OWN, label: 'Typed below' }, ...venues]}
      help="As published for accounts that trade little. Yours may differ: look at your account."
    />
  )
}

/** What each fill costs: fees as a venue publishes them or typed, how far the price moves against it, and whether rebalances rest. */
export function CostFields({
  values,
  change,
  errors,
  market,
  poster,
  order,
}: {
  values: CostValues
  change: (change: Partial<CostValues>) => void
  errors: Partial<Record<keyof CostValues, string | undefined>>
  market: 'spot' | 'futures'
  /** Null where nothing rests, whatever the fees. */
  poster: Poster | null
  /** About what one order is; null where that is not known. */
  order: SizedOrder | null
}) {
  const { feePct, makerPct } = values
  const field = (name: 'feePct' | 'makerPct' | 'slippageBps') => ({
    value: values[name],
    onChange: (value: number | null) => change({ [name]: value }),
    error: errors[name],
    min: 0,
  })
  const disabledReason = poster === null ? null : whyNotPosted(values, poster)
  return (
    <>
      <FeesByVenue market={market} feePct={feePct} {...(poster !== null && { makerPct })} change={change} />
      <Column
        gap={1.5}
        style={{ gridTemplateColumns: `repeat(${poster === null ? 2 : 3}, minmax(0, 1fr))`, alignItems: 'start' }}
      >
        <NumberField label="Fee" {...field('feePct')} step={0.01} unit="%" />
        {poster !== null && <NumberField label="Maker fee" {...field('makerPct')} step={0.01} unit="%" />}
        <NumberField label="Slippage" {...field('slippageBps')} step={1} unit="bps" />
      </Column>
      {order !== null && <LearntSlippage order={order} onTake={(slippageBps) => change({ slippageBps })} />}
      {poster !== null && (
        <SwitchRow
          title="Post-only orders"
          text={
            disabledReason ??
            `Rebalances rest for an hour at the price of their decision for ${formatLimitPct(makerPct)}, then take for ${formatLimitPct(feePct)}. What waiting misses is counted against it.`
          }
          checked={values.postOnly && disabledReason === null}
          disabled={disabledReason !== null}
          onChange={(postOnly) => change({ postOnly })}
        />
      )}
    </>
  )
}

/** An order whose slippage is asked for; its worth in quote. */
interface SizedOrder {
  readonly symbol: string
  readonly notional: number
}

/** What own fills with real money say of slippage, and one press to take it; of admins alone, who have such fills. */
function LearntSlippage({ order, onTake }: { order: SizedOrder; onTake: (slippageBps: number) => void }) {
  const isAdmin = useUser()?.role === 'admin'
  const { data } = useEndpointQuery(
    ownSlippage,
    { query: { ...order } },
    { enabled: isAdmin && order.notional > 0, staleTime: 5 * 60_000, retry: false },
  )
  if (data === undefined) return null
  const { fills, estimate } = data
  if (estimate === null)
    return fills < FILLS_NEEDED ? (
      <Note as="p">
        Slippage is learnt from your own fills with real money: {FILLS_NEEDED} are needed, you have {fills}.
      </Note>
    ) : null
  const [low, high] = estimate.intervalBps.map((bps) => formatFixed(bps, 1))
  const takes = Math.max(0, Number(estimate.expectedBps.toFixed(1)))
  return (
    <Row gap={1} wrap>
      <Note as="span" breaks>
        Your {formatCounted(fills, 'fill')}: {formatFixed(estimate.expectedBps, 1)} bps [{low}, {high}] for an order of
        this size
        {estimate.isBeyondSeen ? ', which is harder than all of them' : ''}.
      </Note>
      <Button variant="text" size="small" onClick={() => onTake(takes)}>
        Use {formatFixed(takes, 1)} bps
      </Button>
    </Row>
  )
}
