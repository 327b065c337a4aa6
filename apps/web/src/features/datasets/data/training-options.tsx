import { type Model, ModelVersion } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { TrainParams } from '@shapecast/contracts/trainings'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Columns } from '#kit/ui/primitives.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import css from './data-form.module.css'
import { askedFeatures, type ChosenFeatures, FeatureField } from './feature-field.tsx'

type NumberParam = Exclude<keyof TrainParams, 'features'>

/** What is trained, beside the candles. An empty field leaves the recipe's own value. */
export interface TrainingOptions extends Partial<Record<NumberParam, number | null>> {
  version: string
  features: ChosenFeatures
}

const DEFAULT_OPTIONS: TrainingOptions = { version: 'v3', features: null }

const TrainedOptions = TrainParams.extend({ version: ModelVersion })

/** The options as a training on a timeframe takes them. */
const askedOptions = (timeframe: Timeframe, { features, ...options }: TrainingOptions) => {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value != null))
  const asked = askedFeatures(timeframe, features)
  return asked === undefined ? given : { ...given, features: asked }
}

/** The form of what is trained on a timeframe. */
export const useTrainingOptions = (timeframe: Timeframe, draft: Partial<TrainingOptions> | null) =>
  useContractForm(TrainedOptions, {
    start: DEFAULT_OPTIONS,
    draft,
    toBody: (options) => askedOptions(timeframe, options),
  })

const FIELDS: readonly { key: NumberParam; label: string; help: string; unit?: string; step?: number }[] = [
  { key: 'epochs', label: 'Epochs, at most', help: '1 to 100; 20 by default' },
  { key: 'lookback', label: 'Lookback', help: '8 to 120; 30 by default', unit: 'candles' },
  { key: 'signalHorizon', label: 'Signal horizon', help: '1 to 8; 1 by default', unit: 'candles' },
  { key: 'learningRate', label: 'Learning rate', help: '0.00001 to 0.1; 0.001 by default' },
  {
    key: 'signalThreshold',
    label: 'Signal threshold',
    help: '0 to 0.5; by default a third of candles get BUY or SELL',
  },
  { key: 'seed', label: 'Seed', help: 'The same seed and candles give the same model' },
  { key: 'lstmHidden', label: 'LSTM units', help: '8 to 128; 48 by default' },
  { key: 'transformerWidth', label: 'Transformer width', help: '8 to 64, even; 32 by default', step: 2 },
  { key: 'transformerLayers', label: 'Transformer layers', help: '1 to 4; 2 by default' },
]

/** Version and parameters of the next training. */
export function TrainingOptionFields({
  form,
  models,
  timeframe,
}: {
  form: ReturnType<typeof useTrainingOptions>
  models: readonly Model[]
  timeframe: Timeframe
}) {
  const isKnown = models.some((model) => model.version === form.values.version.trim())
  const { value: chosen, ...features } = form.field('features')
  return (
    <Columns
      gap={1.5}
      at={{ xs: 2, md: 4, xl: 6 }}
      role="group"
      aria-label="Training options"
      onBlur={form.onBlur}
      className={css.options}
    >
      <TextField
        label="Version"
        {...form.text('version')}
        autoComplete="off"
        help={isKnown ? 'Trained again; the old stays until the new is better' : 'A new version, in staging'}
      />
      {FIELDS.map(({ key, ...texts }) => {
        const { value = null, ...field } = form.field(key)
        return <NumberField key={key} value={value} {...field} {...texts} />
      })}
      <div className={css.features}>
        <FeatureField timeframe={timeframe} chosen={chosen} {...features} />
      </div>
    </Columns>
  )
}
