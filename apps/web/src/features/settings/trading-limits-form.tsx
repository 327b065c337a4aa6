import { changeTradingLimits, type TradingLimits, tradingLimits } from '@shapecast/contracts/exchange-keys'
import { useQueryClient } from '@tanstack/react-query'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { endpointKey, useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { LimitsForm, wrongAmount } from './limits-form.tsx'

/** How much one real order, and all of a day, may be worth. */
export function TradingLimitsForm({ limits }: { limits: TradingLimits }) {
  const queryClient = useQueryClient()
  const save = useEndpointMutation(changeTradingLimits, {
    onSuccess: (next) => queryClient.setQueryData(endpointKey(tradingLimits, {}), next),
  })
  const { currency: unit, usedNotional } = limits
  return (
    <LimitsForm
      limits={limits}
      change={save}
      fields={[
        { name: 'maxOrderNotional', label: 'One order at most', unit, min: 0, wrong: wrongAmount },
        { name: 'maxDayNotional', label: 'All orders of 24 hours at most', unit, min: 0, wrong: wrongAmount },
      ]}
      note={`${formatMoneyUnit(usedNotional, unit)} of the last 24 hours are used. 0 forbids purchases for real money; stop-losses always stand, and what was bought here may always be sold.`}
    />
  )
}
