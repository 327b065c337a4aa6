import { NumberField } from '../../../shared/ui/number-field.tsx'
import type { SectionProps } from './bot-form-sections.ts'
import { FieldRow, FormSection } from './form-section.tsx'

/** The most that a bot with real money may do. Its owner's limits and those of all real bots hold besides. */
export function RealLimitsSection({ form: { limits }, change, errors }: SectionProps) {
  const set = (part: Partial<typeof limits>) => change({ limits: { ...limits, ...part } })
  return (
    <FormSection title="Limits for real money">
      <FieldRow columns="repeat(4, minmax(0, 1fr))">
        <NumberField
          label="Largest purchase"
          value={limits.maxOrderNotional}
          onChange={(maxOrderNotional) => set({ maxOrderNotional })}
          min={0}
          unit="USDT"
          error={errors.maxOrderNotional}
        />
        <NumberField
          label="Holds at most"
          value={limits.maxPositionNotional}
          onChange={(maxPositionNotional) => set({ maxPositionNotional })}
          min={0}
          unit="USDT"
          error={errors.maxPositionNotional}
        />
        <NumberField
          label="Loss a day"
          value={limits.maxDayLoss}
          onChange={(maxDayLoss) => set({ maxDayLoss })}
          min={0}
          unit="USDT"
          help="Then it sells and pauses."
          error={errors.maxDayLoss}
        />
        <NumberField
          label="Purchases a day"
          value={limits.maxDayOrders}
          onChange={(maxDayOrders) => set({ maxDayOrders })}
          min={1}
          step={1}
          error={errors.maxDayOrders}
        />
      </FieldRow>
    </FormSection>
  )
}
