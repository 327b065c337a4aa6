import { NumberField } from '../../../shared/ui/number-field.tsx'
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
  return (
    <TwoColumns>
      <NumberField
        label="Fee"
        value={parameters.feePct}
        onChange={(feePct) => change({ feePct })}
        min={0}
        step={0.01}
        unit="%"
        error={errors.feePct}
      />
      <NumberField
        label="Slippage"
        value={parameters.slippageBps}
        onChange={(slippageBps) => change({ slippageBps })}
        min={0}
        step={1}
        unit="bps"
        error={errors.slippageBps}
      />
    </TwoColumns>
  )
}
