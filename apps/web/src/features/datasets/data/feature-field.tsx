import { type Feature, type FeatureGroup, featuresOf, GROUP_LABELS } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { Square, SquareCheck, SquareMinus } from 'lucide-react'
import { formatCounted } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Field } from '#kit/ui/field.tsx'
import { SelectControl } from '#kit/ui/select-field.tsx'
import css from './data-form.module.css'

const BOXES = { chosen: SquareCheck, partly: SquareMinus, left: Square } as const

/** Which features a model learns from: all, whole groups, or single ones. */
export function FeatureField({
  timeframe,
  chosen,
  onChange,
  error,
}: {
  timeframe: Timeframe
  chosen: ChosenFeatures
  onChange: (chosen: ChosenFeatures) => void
  error: string | undefined
}) {
  const options = featureOptions(timeframe, chosen)
  return (
    <Field
      label="Features"
      help="What it learns from; past moves always count for volatility"
      error={error}
      labelFor={false}
    >
      {(ids) => (
        <SelectControl
          several
          ids={ids}
          heightPx={420}
          shown={featureWords(timeframe, chosen)}
          chosen={options.filter(({ state }) => state === 'chosen').map(({ key }) => key)}
          onChoose={(key) => onChange(press(timeframe, chosen, key))}
          items={options.map((option) => ({
            value: option.key,
            className: css[option.level],
            content: (
              <>
                <Tick option={option} />
                <span>{option.label}</span>
              </>
            ),
          }))}
        />
      )}
    </Field>
  )
}

/** A box that is ticked, or half ticked where a group is chosen in part; in words for a screen reader. */
function Tick({ option: { state } }: { option: FeatureOption }) {
  const Icon = BOXES[state]
  return (
    <Icon
      size={16}
      {...(state === 'partly' ? { 'aria-label': 'In part:', role: 'img' } : { 'aria-hidden': true })}
      style={{ color: state === 'left' ? colors.text3 : colors.accent, flexShrink: 0 }}
    />
  )
}

/** Names of the features to learn from; null is all of them, whatever the timeframe has. */
export type ChosenFeatures = readonly string[] | null

interface FeatureOption {
  /** What is pressed: a feature's name, `group:returns`, or `all`. */
  readonly key: string
  readonly label: string
  readonly level: 'all' | 'group' | 'feature'
  readonly state: 'chosen' | 'partly' | 'left'
}

const ALL = 'all'
const groupKey = (group: FeatureGroup): string => `group:${group}`

/** Those of the choice that the timeframe has, in the order of the columns. */
export function chosenOf(timeframe: Timeframe, chosen: ChosenFeatures): string[] {
  const known = featuresOf(timeframe).map(({ name }) => name)
  return chosen === null ? known : known.filter((name) => chosen.includes(name))
}

/** What a training is asked for: nothing where all are chosen. */
export function askedFeatures(timeframe: Timeframe, chosen: ChosenFeatures): string[] | undefined {
  const names = chosenOf(timeframe, chosen)
  return names.length === featuresOf(timeframe).length ? undefined : names
}

/** `All 27 features`, `4 of 27 features`, or the one feature itself. */
export function featureWords(timeframe: Timeframe, chosen: ChosenFeatures): string {
  const all = featuresOf(timeframe)
  const names = chosenOf(timeframe, chosen)
  if (names.length === all.length) return `All ${all.length} features`
  if (names.length === 0) return 'No feature'
  if (names.length === 1) return all.find(({ name }) => name === names[0])!.label
  return `${names.length} of ${formatCounted(all.length, 'feature')}`
}

function stateOf(members: readonly Feature[], names: readonly string[]): FeatureOption['state'] {
  const count = members.filter(({ name }) => names.includes(name)).length
  return count === 0 ? 'left' : count === members.length ? 'chosen' : 'partly'
}

/** The list to choose from: all, then each group with its features. */
export function featureOptions(timeframe: Timeframe, chosen: ChosenFeatures): FeatureOption[] {
  const all = featuresOf(timeframe)
  const names = chosenOf(timeframe, chosen)
  const option = (
    key: string,
    label: string,
    level: FeatureOption['level'],
    of: readonly Feature[],
  ): FeatureOption => ({
    key,
    label,
    level,
    state: stateOf(of, names),
  })
  return [
    option(ALL, `All ${all.length} features`, 'all', all),
    ...[...Map.groupBy(all, ({ group }) => group)].flatMap(([group, members]) => [
      option(groupKey(group), GROUP_LABELS[group], 'group', members),
      ...members.map((feature) => option(feature.name, feature.label, 'feature', [feature])),
    ]),
  ]
}

/** The choice after an option was pressed: what was wholly chosen is left out, all else of it is added. */
export function press(timeframe: Timeframe, chosen: ChosenFeatures, key: string): ChosenFeatures {
  const all = featuresOf(timeframe)
  const names = chosenOf(timeframe, chosen)
  const pressed = all.filter(({ name, group }) => key === ALL || key === name || key === groupKey(group))
  const isChosen = stateOf(pressed, names) === 'chosen'
  const next = all
    .filter((feature) => (pressed.includes(feature) ? !isChosen : names.includes(feature.name)))
    .map(({ name }) => name)
  return next.length === all.length ? null : next
}
