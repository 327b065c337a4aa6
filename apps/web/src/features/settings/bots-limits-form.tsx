import { changeRealBotsLimits, type InstallationLimits } from '@shapecast/contracts/real-bots'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { LimitsForm, wrongAmount } from './limits-form.tsx'

const wrongCount = (value: number) =>
  Number.isInteger(value) && value >= 1 && value <= 1_000 ? undefined : 'A whole number from 1 to 1,000'

/** How much all real bots of the installation may hold together, and how often they may buy. */
export function BotsLimitsForm({ limits }: { limits: InstallationLimits }) {
  const save = useEndpointMutation(changeRealBotsLimits)
  const { currency, usedBotsNotional } = limits
  return (
    <LimitsForm
      limits={limits}
      change={save}
      fields={[
        { name: 'maxBotsNotional', label: 'All real bots hold at most', unit: currency, min: 0, wrong: wrongAmount },
        { name: 'maxOrdersAMinute', label: 'Purchases a minute', min: 1, step: 1, wrong: wrongCount },
      ]}
      note={`${formatMoneyUnit(usedBotsNotional, currency)} are held or ordered now. 0 forbids purchases; what bots hold may always be sold.`}
    />
  )
}
