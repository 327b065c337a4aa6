import type { RulePreview } from '@shapecast/contracts/rules'
import { nodeText, ruleText } from '@shapecast/engine/rules/print'
import type { Condition, Node, Rule } from '@shapecast/engine/rules/tree'
import { signatureOf, VALUE_WORDS } from '@shapecast/engine/rules/vocabulary'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { formatSharePct } from '#kit/format/percent.ts'
import { Button, IconButton } from '#kit/ui/button.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import {
  type ConditionList,
  compared,
  conditionOf,
  isCompared,
  isSamePart,
  listOf,
  newCondition,
  RELATIONS,
  relationOf,
  type Typed,
  typedCondition,
  typedValue,
} from './condition-list.ts'
import { useEditor } from './rule-form.ts'
import css from './rule-page.module.css'

/** The parts of a rule: how one condition and the next are joined at first, and whether a new one is of a rise. */
const PARTS = {
  enter: { title: 'Enter long', join: 'and', rises: true },
  exit: { title: 'Exit', join: 'or', rises: false },
  short: { title: 'Enter short', join: 'and', rises: false },
  cover: { title: 'Exit short', join: 'or', rises: true },
} as const
type Part = keyof typeof PARTS
const JOINS = { and: 'all', or: 'any' }

/** Indicators as they are called, and the other values. */
const SUGGESTIONS: readonly string[] = VALUE_WORDS.map((word) => {
  const usual = signatureOf(word)
    ?.parameters.map((parameter) => parameter.usual)
    .join(', ')
  return usual ? `${word}(${usual})` : word
})

type Found = Pick<RulePreview, 'parts' | 'conditions'>
const LIMITS = [
  { name: 'stopPct', label: 'Stop loss', step: 0.5, unit: '%' },
  { name: 'targetPct', label: 'Take profit', step: 0.5, unit: '%' },
  { name: 'trailPct', label: 'Trailing stop', step: 0.5, unit: '%' },
  { name: 'timeCandles', label: 'Time exit', step: 1, unit: 'candles' },
] as const

/** One that changes its part at less than a twentieth of the candles that it is about. */
const HARDLY = 0.05

/** A rule as blocks. `found` says how often each part and condition held, where that is known. */
export function RuleBlocks({ found }: { found: Found | undefined }) {
  const { rule, write } = useEditor()
  const onChange = (next: Rule) => write(ruleText(next))
  const of = (part: Part) => ({
    part,
    condition: rule[part],
    found: found?.conditions.filter((each) => each.part === part) ?? [],
    truePct: found?.parts.find((each) => each.part === part)?.truePct,
    onChange: (condition: Condition | null) => onChange({ ...rule, [part]: condition }),
  })
  const isShort = rule.short !== null
  return (
    <>
      <PartBlocks {...of('enter')} />
      <PartBlocks {...of('exit')} />
      <div className={css.part}>
        <Columns gap={1.5} at={{ xs: 2, sm: 4 }}>
          {LIMITS.map(({ name, ...texts }) => (
            <NumberField
              key={name}
              {...texts}
              placeholder="off"
              min={0}
              value={rule[name]}
              // Nothing, 0 and what is no number are no limit.
              onChange={(value) => onChange({ ...rule, [name]: value !== null && value > 0 ? value : null })}
            />
          ))}
        </Columns>
        <SwitchRow
          title="Enter short"
          text="Futures only; has conditions of its own."
          checked={isShort}
          onChange={(short) =>
            onChange(
              short
                ? { ...rule, short: newCondition(false), cover: newCondition(true) }
                : { ...rule, short: null, cover: null },
            )
          }
        />
      </div>
      {isShort && (
        <>
          <PartBlocks {...of('short')} />
          <PartBlocks {...of('cover')} />
        </>
      )}
    </>
  )
}

function PartBlocks({
  part,
  condition,
  found,
  truePct,
  onChange,
}: {
  part: Part
  condition: Condition | null
  found: Found['conditions']
  /** Of the part as a whole. */
  truePct: number | undefined
  onChange: (condition: Condition | null) => void
}) {
  const { title, rises, join: usual } = PARTS[part]
  const [alone, setAlone] = useState<ConditionList['join']>(usual)
  const list = listOf(condition, alone)
  const change = (next: Partial<ConditionList>) => onChange(conditionOf({ ...list, ...next }))
  return (
    <section className={css.part} aria-label={title}>
      <Row gap={1} wrap lineGap={0.5}>
        <Text weight={600}>{title}</Text>
        <Text tone="text2">when</Text>
        <ToggleGroup
          label={`How the conditions of ${title} are joined`}
          size="small"
          value={list.join}
          choices={JOINS}
          onChange={(join) => {
            setAlone(join)
            change({ join })
          }}
        />
        <Text tone="text2">of these hold at a close</Text>
      </Row>
      {list.of.map((each, k) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a row stays itself while it is typed in
          key={k}
          name={`condition ${k + 1} of ${title}`}
          condition={each}
          found={found.find(({ text }) => text === nodeText(each))}
          onChange={(next) => change({ of: list.of.with(k, next) })}
          onRemove={() => change({ of: list.of.toSpliced(k, 1) })}
        />
      ))}
      {list.of.length > 1 && list.of.length === found.length && truePct !== undefined && (
        <Note tone="text2" role="status">
          {togetherWords(list.join, truePct, found)}
        </Note>
      )}
      <div>
        <Button
          variant="text"
          size="small"
          startIcon={<Plus size={14} />}
          aria-label={`Add condition to ${title}`}
          onClick={() => change({ of: [...list.of, newCondition(rises)] })}
        >
          Add condition
        </Button>
      </div>
    </section>
  )
}

/** 'All at once: 4.2% of candles. Condition 3 hardly matters.' */
function togetherWords(join: ConditionList['join'], truePct: number, found: Found['conditions']): string {
  const idle = found.flatMap(({ decidesPct }, k) => (decidesPct <= HARDLY * truePct ? [k + 1] : []))
  const words = `${join === 'and' ? 'All at once' : 'Any of them'}: ${formatSharePct(truePct)} of candles.`
  if (truePct === 0 || idle.length === 0 || idle.length === found.length) return words
  return `${words} ${idle.length === 1 ? `Condition ${idle[0]} hardly matters` : `Conditions ${idle.join(' and ')} hardly matter`}.`
}

function ConditionRow({
  name,
  condition,
  found,
  onChange,
  onRemove,
}: {
  name: string
  condition: Condition
  found: Found['conditions'][number] | undefined
  onChange: (condition: Condition) => void
  onRemove: () => void
}) {
  return (
    <div className={css.row}>
      {isCompared(condition) ? (
        <>
          <PartField
            label={`First value of ${name}`}
            part={condition.left}
            read={typedValue}
            suggestions={SUGGESTIONS}
            onChange={(left) => onChange(compared(left, relationOf(condition), condition.right))}
          />
          <div className={css.relation}>
            <SelectField
              label={`Comparison of ${name}`}
              value={relationOf(condition)}
              options={RELATIONS}
              onChange={(relation) => onChange(compared(condition.left, relation, condition.right))}
            />
          </div>
          <PartField
            label={`Second value of ${name}`}
            part={condition.right}
            read={typedValue}
            suggestions={SUGGESTIONS}
            onChange={(right) => onChange(compared(condition.left, relationOf(condition), right))}
          />
        </>
      ) : (
        <div className={css.whole}>
          <PartField label={`Text of ${name}`} part={condition} read={typedCondition} onChange={onChange} />
        </div>
      )}
      <Note className={css.found} aria-live="polite">
        {found === undefined
          ? ''
          : found.fired === null
            ? `true ${formatSharePct(found.truePct)}`
            : formatCounted(found.fired, 'exit')}
      </Note>
      <IconButton size="small" aria-label={`Remove ${name}`} onClick={onRemove}>
        <X size={16} />
      </IconButton>
    </div>
  )
}

/** A part as its text. What is typed stands until the field is left; the part follows as soon as it can be read. */
function PartField<Kind extends Node>({
  label,
  part,
  read,
  suggestions,
  onChange,
}: {
  label: string
  part: Kind
  read: (text: string) => Typed<Kind>
  suggestions?: readonly string[]
  onChange: (part: Kind) => void
}) {
  const [text, setText] = useState<string | null>(null)
  const typed = text === null ? null : read(text)
  // What came from elsewhere meanwhile, as from the text of the rule, is shown in its place.
  const isOwn = typed !== null && ('wrong' in typed || isSamePart(typed.part, part))
  return (
    <div className={css.field}>
      <TextField
        label={label}
        value={isOwn ? text! : nodeText(part)}
        autoComplete="off"
        {...(suggestions !== undefined && { suggestions })}
        error={isOwn && 'wrong' in typed ? typed.wrong : undefined}
        onChange={({ target }) => {
          setText(target.value)
          const next = read(target.value)
          if ('part' in next) onChange(next.part)
        }}
        onBlur={() => {
          if (typed !== null && 'part' in typed) setText(null)
        }}
      />
    </div>
  )
}
