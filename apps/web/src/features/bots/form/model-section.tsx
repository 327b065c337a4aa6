import { type ConsensusConfig, STRATEGY_LABEL } from '@shapecast/contracts/bots'
import type { ReplyOf } from '@shapecast/contracts/endpoint'
import type { models as modelsCall } from '@shapecast/contracts/ml'
import { POLICIES } from '@shapecast/contracts/policies'
import { formatShareRatioShort } from '#kit/format/percent.ts'
import { MultiSelectField } from '#kit/ui/large-fields.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Note } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import css from './bot-form.module.css'
import { FEWEST_MODELS, formAsksModels, MOST_MODELS, mostAgreementOf } from './bot-form.ts'
import { FieldRow, FormSection, ToggleField, useBotForm } from './form-section.tsx'

type ModelList = ReplyOf<typeof modelsCall>

/** What decides: one model, an ensemble, or OpenAI. */
export function ModelSection({ models }: { models: ModelList | undefined }) {
  const { form, change, errors, field } = useBotForm()
  // Models that were chosen stay in sight: they are sent with it.
  const needsNone = form.strategy === 'ml' && !form.isEnsemble && form.version === '' && !formAsksModels(form)
  return (
    <FormSection title="Model">
      <FieldRow columns={needsNone ? '200px minmax(0, 1fr)' : '200px 260px'}>
        <ToggleField {...field('strategy')} choices={STRATEGY_LABEL} />
        {needsNone && (
          <Note as="p" className={css.beside}>
            {POLICIES[form.policy].name} asks no model. Nothing here is needed.
          </Note>
        )}
        {form.strategy === 'ml' && !needsNone && (
          <ToggleField
            label="Model selection"
            value={form.isEnsemble ? 'ensemble' : 'single'}
            onChange={(mode) => change({ isEnsemble: mode === 'ensemble' })}
            choices={{ single: 'Single model', ensemble: 'Ensemble' }}
          />
        )}
      </FieldRow>
      {form.strategy === 'ml' && !form.isEnsemble && !needsNone && <SingleModel models={models} />}
      {form.isEnsemble && (
        <MultiSelectField
          label="ML Models (2-5 models)"
          values={form.versions}
          onChange={(versions) => change({ versions })}
          options={(models?.models ?? []).map((model) => model.version)}
          most={MOST_MODELS}
          placeholder="Add a model"
          emptyText="No saved models"
          error={errors.versions}
          help={form.versions.length < FEWEST_MODELS ? 'Select at least 2 models for ensemble' : undefined}
        />
      )}
      {form.strategy === 'openai' && <OpenaiCalls />}
      {form.isEnsemble && <ConsensusFields />}
      <FollowModel />
    </FormSection>
  )
}

/** What a bot does about a newer training; nothing where it asks no model. */
export function FollowModel() {
  const { form, change } = useBotForm()
  if (!formAsksModels(form)) return null
  return (
    <SwitchRow
      title="Take newer trainings by itself"
      text={`Taken ${form.policy === 'signal' ? 'while it holds nothing' : 'at its next daily decision'}. Off, it keeps the model of its start and its owner is offered the newer one.`}
      checked={form.followModel}
      onChange={(followModel) => change({ followModel })}
    />
  )
}

/** Each decision of an OpenAI bot is a paid call. */
export const OpenaiCalls = () => (
  <FieldRow columns="200px">
    <NumberField
      {...useBotForm().field('openaiCallsADay')}
      min={1}
      max={10_000}
      step={1}
      help="Each decision is a paid call."
    />
  </FieldRow>
)

const CURRENT = '(current)'

function SingleModel({ models }: { models: ModelList | undefined }) {
  const { form, change, errors } = useBotForm()
  const current = models?.current ?? null
  return (
    <SelectField
      label="ML Model"
      value={form.version === '' ? CURRENT : form.version}
      onChange={(version) => change({ version: version === CURRENT ? '' : version })}
      options={[
        { value: CURRENT, label: 'Always the current model', ...(current !== null && { note: current }) },
        ...(models?.models ?? []).map(({ version, stage, stats }) => ({
          value: version,
          label: version,
          note: [stage, stats.accuracy === null ? 'not trained' : `acc ${formatShareRatioShort(stats.accuracy)}`].join(
            ' · ',
          ),
        })),
      ]}
      help={current === null && models !== undefined ? 'No model is trained yet.' : undefined}
      error={errors.versions}
    />
  )
}

const STRATEGIES = [
  { value: 'unanimous', label: 'Unanimous' },
  { value: 'majority', label: 'Majority' },
  { value: 'weighted', label: 'Weighted' },
  { value: 'confidence_threshold', label: 'Confidence threshold' },
] as const satisfies readonly { value: ConsensusConfig['strategy']; label: string }[]

const DISAGREEMENT = [
  { value: 'hold', label: 'Hold' },
  { value: 'skip', label: 'Skip' },
  { value: 'use_highest_confidence', label: 'Use highest confidence' },
] as const satisfies readonly { value: ConsensusConfig['onDisagreement']; label: string }[]

/** How the votes of an ensemble become one decision; off where a policy asks for the size of moves alone. */
function ConsensusFields() {
  const { form, change, errors } = useBotForm()
  const { consensus } = form
  const disabled = form.policy !== 'signal'
  const set = (part: Partial<ConsensusConfig>) => change({ consensus: { ...consensus, ...part } })
  const needsConfidence = consensus.strategy === 'weighted' || consensus.strategy === 'confidence_threshold'
  return (
    <>
      <FieldRow columns="repeat(3, minmax(0, 1fr))">
        <SelectField
          label="Consensus"
          value={consensus.strategy}
          onChange={(strategy) => set({ strategy })}
          options={STRATEGIES}
          disabled={disabled}
        />
        {consensus.strategy === 'majority' && (
          <NumberField
            label="Minimum agreement"
            value={consensus.minAgreement}
            onChange={(value) => set({ minAgreement: value ?? Number.NaN })}
            min={FEWEST_MODELS}
            max={mostAgreementOf(form)}
            step={1}
            unit={`of ${mostAgreementOf(form)}`}
            disabled={disabled}
            error={errors.minAgreement}
          />
        )}
        {needsConfidence && (
          <NumberField
            label="Minimum confidence"
            value={consensus.minConfidence}
            onChange={(value) => set({ minConfidence: value ?? Number.NaN })}
            min={0}
            max={1}
            step={0.05}
            disabled={disabled}
            help="Most calibrated confidences at 1h lie below 0.6: it would seldom act."
            error={errors.minConfidence}
          />
        )}
        <SelectField
          label="On disagreement"
          value={consensus.onDisagreement}
          onChange={(onDisagreement) => set({ onDisagreement })}
          options={DISAGREEMENT}
          disabled={disabled}
        />
      </FieldRow>
      {disabled && (
        <Note as="p">Only ‘Model signal’ takes a vote. ‘Model as brake’ takes the widest range of these models.</Note>
      )}
    </>
  )
}
