import { NumberField } from '#kit/ui/number-field.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { assetsOf, modelLabel } from './options.ts'
import { SizeNote } from './size-note.tsx'
import { TrainFirst } from './train-first.tsx'
import { TwoColumns } from './two-columns.tsx'
import { isTrainedOn } from './unseen-range.ts'
import type { ParametersControl } from './use-parameters.ts'

export interface ModelChoiceProps {
  control: ParametersControl
  emptyReason: string | undefined
}

/** Which model is tested on which symbol, and with how much. */
export function ModelChoice({ control, emptyReason }: ModelChoiceProps) {
  const { parameters, change, model, symbols, timeframe } = control
  const { field, errors } = control.form
  const models = control.modelList.data?.models
  const isUntrained =
    model !== undefined && parameters.symbol !== null && !isTrainedOn(model, parameters.symbol, timeframe)
  const { base, quote } = assetsOf(parameters.symbol ?? 'BTCUSDT', undefined)
  return (
    <>
      <SelectField
        label="Model"
        value={parameters.version ?? ''}
        onChange={(version) => change({ version })}
        options={(models ?? []).map((model) => ({ value: model.version, label: modelLabel(model) }))}
        placeholder={models === undefined && emptyReason === undefined ? 'Loading…' : 'Select a model'}
        disabled={models === undefined || models.length === 0}
        help={emptyReason}
      />
      <SelectField
        label="Symbol"
        value={parameters.symbol ?? ''}
        onChange={(symbol) => change({ symbol })}
        options={symbols.map((symbol) => {
          const isTrained = model === undefined || isTrainedOn(model, symbol, timeframe)
          return { value: symbol, label: symbol, ...(isTrained ? {} : { note: 'not trained', dim: true }) }
        })}
        placeholder="Select a symbol"
        disabled={symbols.length === 0}
        // What is not trained says so itself, with the way to train it.
        error={isUntrained ? undefined : errors.symbol}
      />
      {isUntrained && parameters.symbol !== null && (
        <TrainFirst
          key={`${model.version} ${parameters.symbol} ${timeframe}`}
          version={model.version}
          symbol={parameters.symbol}
          timeframe={timeframe}
        />
      )}
      <TwoColumns>
        <NumberField label="Position Size" {...field('positionSize')} min={0} step={0.001} unit={base} />
        <NumberField label="Initial Balance" {...field('initialBalance')} min={0} unit={quote} />
        <NumberField label="Leverage" {...field('leverage')} min={1} step={1} unit="×" />
        <NumberField
          label="Max Drawdown %"
          {...field('maxDrawdownPct')}
          min={0}
          step={0.5}
          help={parameters.maxDrawdownPct === 0 ? '0 is no limit' : undefined}
        />
      </TwoColumns>
      <SizeNote parameters={parameters} change={change} />
    </>
  )
}
