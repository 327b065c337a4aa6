import { fieldsOf } from '#kit/ui/form-fields.ts'
import { NumberField } from '#kit/ui/number-field.tsx'
import type { FieldErrors } from './check-parameters.ts'
import type { Parameters } from './parameters.ts'
import { TwoColumns } from './two-columns.tsx'

/** What each fill costs: the fee in percent of its value, and how far the price moves against it. */
export function CostFields({
  parameters,
  change,
  errors,
}: {
  parameters: Parameters
  change: (change: Partial<Parameters>) => void
  errors: FieldErrors
}) {
  const field = fieldsOf(parameters, change, errors)
  return (
    <TwoColumns>
      <NumberField label="Fee" {...field('feePct')} min={0} step={0.01} unit="%" />
      <NumberField label="Slippage" {...field('slippageBps')} min={0} step={1} unit="bps" />
    </TwoColumns>
  )
}
