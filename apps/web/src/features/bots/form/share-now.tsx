import { Typography } from '@mui/material'
import { holdsShare } from '@shapecast/contracts/policies'
import { policyShare } from '@shapecast/contracts/predictions'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import type { BotForm } from './bot-form.ts'

/**
 * What the chosen policy would hold now, of a bot of one pair; where its models vote together, or nothing is known, it
 * says nothing. In amber where that is less than the market takes.
 */
export function ShareNow({
  form,
  base,
  smallestOrder,
}: {
  form: BotForm
  base: string | null
  smallestOrder: number | null
}) {
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
    <Typography
      variant="label"
      component="p"
      role="status"
      sx={{ m: 0, fontWeight: 400, color: isTooSmall ? colors.warn : colors.text2 }}
    >
      Today that is {formatShareRatio(share)} in {base} (≈ {formatMoneyUnit(held, 'USDT')}) and{' '}
      {formatMoneyUnit(initialBalance - held, 'USDT')} in cash.
      {isTooSmall &&
        ` That is below the market’s smallest order of ${formatMoneyUnit(smallestOrder, 'USDT')}: no order would be made.`}
    </Typography>
  )
}
