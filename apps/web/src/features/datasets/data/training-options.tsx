import { Box } from '@mui/material'
import { type Model, ModelVersion } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { TrainParams } from '@shapecast/contracts/trainings'
import { colors } from '#kit/theme/tokens.ts'
import { NumberField } from '#kit/ui/number-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { askedFeatures, type ChosenFeatures } from './feature-choice.ts'
import { FeatureField } from './feature-field.tsx'

/** What is trained, beside the candles. An empty field leaves the recipe's own value. */
export interface TrainingOptions {
  readonly version: string
  readonly params: Readonly<Partial<Record<NumberParam, number | null>>>
  readonly features: ChosenFeatures
}

type NumberParam = Exclude<keyof TrainParams, 'features'>

export const DEFAULT_OPTIONS: TrainingOptions = { version: 'v3', params: {}, features: null }

const FIELDS = [
  { key: 'epochs', label: 'Epochs, at most', help: '1 to 100; 20 by default', step: 1 },
  { key: 'lookback', label: 'Lookback', help: '8 to 120; 30 by default', unit: 'candles', step: 1 },
  { key: 'signalHorizon', label: 'Signal horizon', help: '1 to 8; 1 by default', unit: 'candles', step: 1 },
  { key: 'learningRate', label: 'Learning rate', help: '0.00001 to 0.1; 0.001 by default' },
  {
    key: 'signalThreshold',
    label: 'Signal threshold',
    help: '0 to 0.5; by default a third of candles get BUY or SELL',
  },
  { key: 'seed', label: 'Seed', help: 'The same seed and candles give the same model', step: 1 },
  { key: 'lstmHidden', label: 'LSTM units', help: '8 to 128; 48 by default', step: 1 },
  { key: 'transformerWidth', label: 'Transformer width', help: '8 to 64, even; 32 by default', step: 2 },
  { key: 'transformerLayers', label: 'Transformer layers', help: '1 to 4; 2 by default', step: 1 },
] as const satisfies readonly { key: NumberParam; label: string; help: string; unit?: string; step?: number }[]

export interface CheckedOptions {
  readonly version: string
  readonly params: TrainParams
  /** By field: what is wrong, as a sentence. Empty where all is well. */
  readonly errors: Readonly<Partial<Record<keyof TrainParams | 'version', string>>>
}

/** Reads the fields as a training on a timeframe takes them. */
export function checkOptions({ version, params, features }: TrainingOptions, timeframe: Timeframe): CheckedOptions {
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))
  const asked = askedFeatures(timeframe, features)
  const parsed = TrainParams.safeParse(asked === undefined ? given : { ...given, features: asked })
  const named = ModelVersion.safeParse(version)
  const wrong = new Set(parsed.error?.issues.map((issue) => issue.path[0]))
  const errors: Partial<Record<keyof TrainParams | 'version', string>> = {}
  for (const { key, help } of FIELDS) if (wrong.has(key)) errors[key] = `Must be ${help.split(';')[0]}`
  if (wrong.has('seed')) errors.seed = 'Must be a whole number from 0 to 2,147,483,647'
  if (wrong.has('features')) errors.features = 'Choose at least one feature'
  if (!named.success) errors.version = named.error.issues[0]?.message ?? 'A version is a short name such as v3'
  return { version: named.data ?? version, params: parsed.data ?? {}, errors }
}

/** Version and parameters of the next training. */
export function TrainingOptionFields({
  options,
  onChange,
  errors,
  models,
  timeframe,
}: {
  options: TrainingOptions
  timeframe: Timeframe
  onChange: (options: TrainingOptions) => void
  errors: CheckedOptions['errors']
  models: readonly Model[]
}) {
  const isKnown = models.some((model) => model.version === options.version.trim())
  return (
    <Box
      role="group"
      aria-label="Training options"
      sx={{
        display: 'grid',
        gap: 1.5,
        p: 1.5,
        borderRadius: 1,
        backgroundColor: colors.well,
        gridTemplateColumns: {
          xs: 'repeat(2, minmax(0, 1fr))',
          md: 'repeat(4, minmax(0, 1fr))',
          xl: 'repeat(6, minmax(0, 1fr))',
        },
      }}
    >
      <TextField
        label="Version"
        value={options.version}
        onChange={(event) => onChange({ ...options, version: event.target.value })}
        autoComplete="off"
        help={isKnown ? 'Trained again; the old stays until the new is better' : 'A new version, in staging'}
        error={errors.version}
      />
      {FIELDS.map(({ key, label, help, ...rest }) => (
        <NumberField
          key={key}
          label={label}
          help={help}
          value={options.params[key] ?? null}
          onChange={(value) => onChange({ ...options, params: { ...options.params, [key]: value } })}
          error={errors[key]}
          {...rest}
        />
      ))}
      <Box sx={{ minWidth: 0, gridColumn: { xs: 'span 2', xl: 'span 1' } }}>
        <FeatureField
          timeframe={timeframe}
          chosen={options.features}
          onChange={(features) => onChange({ ...options, features })}
          error={errors.features}
        />
      </Box>
    </Box>
  )
}
