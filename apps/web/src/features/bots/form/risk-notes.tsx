import { holdsShare, POLICIES, smallestBalance } from '@shapecast/contracts/policies'
import { haltedYears, STUDIED_YEARS } from '@shapecast/contracts/policy-figures'
import { policyShare } from '@shapecast/contracts/predictions'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatFixed } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { Note } from '#kit/ui/primitives.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { heldIn } from './bot-form.ts'
import { FormNote, useBotForm, useChosenMarket } from './form-section.tsx'

/** From this share of the studied years on, the limit is more likely in the way than a help. */
const OFTEN = 0.1

/** Of a policy: how often its drawdown limit would have ended it, and whether its balance is large enough to trade. */
export function LimitNotes() {
  const { form } = useBotForm()
  const { smallestOrder } = useChosenMarket(form.tradingPairs)
  const { policy, riskLevel, maxDrawdown, initialBalance } = form
  const held = heldIn(form)
  const halted = maxDrawdown === null || Number.isNaN(maxDrawdown) ? null : haltedYears(policy, riskLevel, maxDrawdown)
  const smallest = smallestBalance(policy, held, smallestOrder ?? undefined)
  const isSmall = smallest !== null && initialBalance !== null && initialBalance < smallest.works
  return (
    <>
      {halted !== null && (
        <FormNote isWarning={halted / STUDIED_YEARS > OFTEN}>
          A limit of {maxDrawdown}% would have halted {halted === 0 ? 'none' : halted} of {STUDIED_YEARS} one-year
          starts of {POLICIES[policy].name} on BTC since 2018{halted > 0 && ` (${shareText(halted)})`}.
        </FormNote>
      )}
      {smallest !== null && (
        <FormNote isWarning={isSmall}>
          {isSmall ? 'Too small to follow its target: ' : ''}
          {held > 1 ? `${held} pairs work` : 'It works'} from {formatMoneyUnit(smallest.works, 'USDT')} on, as orders
          below {formatMoneyUnit(smallestOrder ?? DEFAULT_ORDER, 'USDT')} are not taken.
        </FormNote>
      )}
    </>
  )
}

const DEFAULT_ORDER = 10
const shareText = (halted: number) => `${formatFixed((100 * halted) / STUDIED_YEARS, 1)}%`

/**
 * What the chosen policy would hold now, of a bot of one pair; where its models vote together, or nothing is known, it
 * says nothing. In amber where that is less than the market takes.
 */
export function ShareNow() {
  const { form } = useBotForm()
  const { base, smallestOrder } = useChosenMarket(form.tradingPairs)
  const { policy, riskLevel, timeframe, version, initialBalance } = form
  const [symbol = ''] = form.tradingPairs
  const isBrake = policy === 'model_brake'
  const isAsked = holdsShare(policy) && base !== null && !(isBrake && form.isEnsemble)
  const reply = useEndpointQuery(
    policyShare,
    {
      query: {
        policy: holdsShare(policy) ? policy : 'fixed_share',
        riskLevel,
        symbol,
        timeframe,
        ...(isBrake && version !== '' && { version }),
      },
    },
    { enabled: isAsked, staleTime: 60_000, retry: false },
  )
  const share = isAsked ? (reply.data?.share ?? null) : null
  if (share === null || initialBalance === null || !(initialBalance > 0)) return null
  const held = share * initialBalance
  const isTooSmall = smallestOrder !== null && held > 0 && held < smallestOrder
  return (
    <Note as="p" role="status" tone={isTooSmall ? 'warn' : 'text2'}>
      Today that is {formatShareRatio(share)} in {base} (≈ {formatMoneyUnit(held, 'USDT')}) and{' '}
      {formatMoneyUnit(initialBalance - held, 'USDT')} in cash.
      {isTooSmall &&
        ` That is below the market’s smallest order of ${formatMoneyUnit(smallestOrder, 'USDT')}: no order would be made.`}
    </Note>
  )
}
