import { changeTradingLimits, type TradingLimits } from '@shapecast/contracts/exchange-keys'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { LimitsForm, wrongAmount } from './limits-form.tsx'

/** How much one real order, and all of a day, may be worth. */
export function TradingLimitsForm({ limits }: { limits: TradingLimits }) {
  const save = useEndpointMutation(changeTradingLimits)
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
