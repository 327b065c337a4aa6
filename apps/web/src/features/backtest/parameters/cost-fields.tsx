import { NumberField } from '#kit/ui/number-field.tsx'
import { TwoColumns } from './two-columns.tsx'
import type { ParametersControl } from './use-parameters.ts'

/** What each fill costs: the fee in percent of its value, and how far the price moves against it. */
export const CostFields = ({ form: { field } }: Pick<ParametersControl, 'form'>) => (
  <TwoColumns>
    <NumberField label="Fee" {...field('feePct')} min={0} step={0.01} unit="%" />
    <NumberField label="Slippage" {...field('slippageBps')} min={0} step={1} unit="bps" />
  </TwoColumns>
)
