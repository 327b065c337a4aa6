import { fieldsOf } from '#kit/ui/form-fields.ts'
import { NumberField } from '#kit/ui/number-field.tsx'
import type { SectionProps } from './bot-form-sections.ts'
import { FieldRow, FormSection } from './form-section.tsx'

/** The most that a bot with real money may do. Its owner's limits and those of all real bots hold besides. */
export function RealLimitsSection({ form: { limits }, change, errors }: SectionProps) {
  const field = fieldsOf(limits, (part) => change({ limits: { ...limits, ...part } }), errors)
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
