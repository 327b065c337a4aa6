import { changeTradingLimits, type TradingLimits } from '@shapecast/contracts/exchange-keys'
import { changeRealBotsLimits, type InstallationLimits } from '@shapecast/contracts/real-bots'
import { useState } from 'react'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { NumberField, type NumberFieldProps } from '#kit/ui/number-field.tsx'
import { Column, Columns, Text } from '#kit/ui/primitives.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'

interface LimitField<Name extends string> extends Pick<NumberFieldProps, 'label' | 'unit' | 'min' | 'step'> {
  name: Name
  /** What is wrong with a number, or undefined. */
  wrong: (value: number) => string | undefined
}

/** What is wrong with an amount of money that limits something. */
export const wrongAmount = (value: number): string | undefined =>
  value < 0 || Number.isNaN(value)
    ? 'A limit is a number, 0 or more'
    : value > 1e9
      ? 'A limit is at most 1,000,000,000'
      : undefined

interface LimitsFormProps<Name extends string> {
  limits: Readonly<Record<Name, number>>
  fields: readonly LimitField<Name>[]
  note: string
  change: {
    mutate: (request: { body: Record<Name, number> }) => void
    isPending: boolean
    isError: boolean
    error: Error | null
    reset: () => void
  }
}

/** Limits side by side, saved together once one is changed and none is wrong. */
function LimitsForm<Name extends string>({ limits, fields, note, change }: LimitsFormProps<Name>) {
  const [typed, setTyped] = useState<Record<Name, number | null>>(limits)
  const errors = fields.map(({ name, wrong }) => wrong(typed[name] ?? Number.NaN))
  const isChanged = fields.some(({ name }) => typed[name] !== limits[name])
  const body = Object.fromEntries(fields.map(({ name }) => [name, typed[name]])) as Record<Name, number>
  return (
    <Column gap={1.5}>
      <FailedChange change={change} text="The limits were not changed." />
      <Columns gap={1.5} at={{ sm: 2 }}>
        {fields.map(({ name, wrong: _, ...field }, k) => (
          <NumberField
            key={name}
            {...field}
            value={typed[name]}
            onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
            error={errors[k]}
          />
        ))}
      </Columns>
      <Text size="small" tone="text2">
        {note}
      </Text>
      <div>
        <Button
          variant="contained"
          disabled={!isChanged || errors.some((error) => error !== undefined)}
          title={isChanged ? undefined : 'Nothing is changed yet'}
          {...busyButton(change.isPending, () => change.mutate({ body }))}
        >
          {change.isPending ? 'Saving…' : 'Save limits'}
        </Button>
      </div>
    </Column>
  )
}

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
