import type { Sizing } from '@shapecast/contracts/bots'
import { RulePreviewRequest } from '@shapecast/contracts/rules'
import type { RuleWithVersions, StoredRule } from '@shapecast/contracts/stored-rules'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { parseDraft, parseRule } from '@shapecast/engine/rules/parse'
import { ruleText } from '@shapecast/engine/rules/print'
import { RuleProblem } from '@shapecast/engine/rules/problem'
import { type Rule, ruleAsksModel } from '@shapecast/engine/rules/tree'
import { createContext, use, useInsertionEffect, useState } from 'react'
import type { SeriesChoice } from '#entities/markets/series-fields.tsx'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { FEE_PLACE, wrongFields } from '../lab-forms.ts'

/** What stands in the editor; an empty number is null. */
export interface RuleForm extends SeriesChoice {
  readonly text: string
  readonly limit: number | null
  readonly isFutures: boolean
  readonly leverage: number | null
  readonly initialBalance: number | null
  readonly sizeKind: 'percent_of_equity' | 'quote_amount' | 'volatility_target'
  readonly size: number | null
  readonly feePct: number | null
  readonly slippageBps: number | null
  /** '' is the model in use. */
  readonly version: string
}

const FIRST_RULE = `enter: ema(20) > ema(50) and vol(60) < 60%
exit: ema(20) < ema(50) or rsi(14) > 75
stop: 3% trail: 4% time: 48`

export const NEW_RULE: RuleForm = {
  text: FIRST_RULE,
  symbol: 'BTCUSDT',
  timeframe: '1h',
  limit: LAB_CANDLES,
  isFutures: false,
  leverage: 1,
  initialBalance: 1000,
  sizeKind: 'percent_of_equity',
  size: 100,
  feePct: 0.06,
  slippageBps: 5,
  version: '',
}

/** A text as far as it can be read. */
export interface ReadText {
  /** Its blocks; null where it cannot be read. */
  readonly rule: Rule | null
  /** Why it cannot be run; null where it can. */
  readonly problem: RuleProblem | null
}

function readText(text: string): ReadText {
  try {
    return { rule: parseRule(text), problem: null }
  } catch (error) {
    if (!(error instanceof RuleProblem)) throw error
    return { rule: draftOf(text), problem: error }
  }
}

function draftOf(text: string): Rule | null {
  try {
    return parseDraft(text)
  } catch {
    return null
  }
}

const NO_RULE: Rule = {
  enter: null,
  exit: null,
  short: null,
  cover: null,
  stopPct: null,
  targetPct: null,
  trailPct: null,
  timeCandles: null,
}

export function sizingOf({ sizeKind: kind, size }: Pick<RuleForm, 'sizeKind' | 'size'>): Sizing {
  const amount = size ?? Number.NaN
  if (kind === 'quote_amount') return { kind, quote: amount }
  return kind === 'percent_of_equity' ? { kind, pct: amount } : { kind, annualPct: amount }
}

/** What a preview and a backtest have in common. Written as the program writes it: the same rule is one try. */
export const testOf = (form: RuleForm, rule: Rule) => ({
  rule: ruleText(rule),
  symbol: form.symbol,
  timeframe: form.timeframe,
  limit: form.limit ?? Number.NaN,
  marketType: marketOf(form, rule),
  leverage: marketOf(form, rule) === 'futures' ? (form.leverage ?? Number.NaN) : 1,
  initialBalance: form.initialBalance ?? Number.NaN,
  sizing: sizingOf(form),
  feeRate: (form.feePct ?? Number.NaN) / 100,
  slippageBps: form.slippageBps ?? Number.NaN,
})

/** A rule that enters short trades futures. */
const marketOf = ({ isFutures }: Pick<RuleForm, 'isFutures'>, rule: Rule): 'spot' | 'futures' =>
  isFutures || rule.short !== null ? 'futures' : 'spot'

/** What a fill costs, basis points; null while a field of it is empty. */
export const costBpsOf = ({ feePct, slippageBps }: RuleForm): number | null =>
  feePct === null || slippageBps === null ? null : 100 * feePct + slippageBps

/** Why there is no preview; null where there is one. */
export const previewObstacle = ({ rule, problem }: ReadText): string | null => {
  if (problem !== null || rule === null) return 'The preview waits for a rule that can be read.'
  return ruleAsksModel(rule) ? 'This rule looks at a forecast: only a backtest asks the model.' : null
}

/** What stands in the editor of one rule. */
export interface TypedRule {
  /** Of a new one until it is stored. */
  readonly name: string
  readonly text: string
  /** What stood there before. */
  readonly past: readonly string[]
  /** The blocks of the last text that could be read. */
  readonly readable: Rule | null
  /** What it was begun from: a version, or nothing that is stored. */
  readonly base: { readonly version: number | null; readonly text: string }
}

const MOST_UNDONE = 50
export const NO_NAME = 'New rule'

/** A rule that nobody has changed yet. */
export const begunFrom = (
  text: string,
  version: number | null = null,
  name = NO_NAME,
  past: readonly string[] = [],
): TypedRule => ({ name, text, past, readable: null, base: { version, text } })

/** As texts are stored. */
export const isChanged = ({ text, base }: TypedRule): boolean => text.trim() !== base.text.trim()

const withText = (typed: TypedRule, text: string, readable: Rule | null): TypedRule => ({
  ...typed,
  text,
  past: [...typed.past.slice(1 - MOST_UNDONE), typed.text],
  // Its blocks stay while the text cannot be read.
  readable: readable ?? typed.readable,
})

/** A rule that is unchanged follows what is stored; one that is changed stays as it is, whatever is saved meanwhile. */
export function typedOf(kept: TypedRule | undefined, stored: StoredRule | undefined): TypedRule {
  if (stored === undefined) return kept ?? begunFrom(NEW_RULE.text)
  const { text, version, name } = stored
  return kept !== undefined && isChanged(kept) ? { ...kept, name } : begunFrom(text, version, name, kept?.past)
}

/** Asks before the tab is closed or loaded again. */
const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * What was typed into the editor, by the rule's id ('' is a new one): one does not take another's place, and all of it
 * stays over the end of a session.
 */
export function useTypedRules() {
  const kept = useDraft<{ typed: [string, TypedRule][] }>('rule')
  const [all, setAll] = useState<ReadonlyMap<string, TypedRule>>(() => new Map(kept?.typed))
  const unsaved = [...all].filter(([, typed]) => isChanged(typed))
  const areAny = unsaved.length > 0
  useKeepDraft('rule', areAny ? { typed: unsaved } : null)
  // An effect of another kind would end while the page is hidden, and what was typed would be lost without a question.
  useInsertionEffect(() => {
    if (!areAny) return
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [areAny])
  return {
    of: (id: string, stored: StoredRule | undefined) => typedOf(all.get(id), stored),
    change: (id: string, next: (before: TypedRule | undefined) => TypedRule | undefined) =>
      setAll((before) => {
        const changed = next(before.get(id))
        const others = [...before].filter(([one]) => one !== id)
        return new Map(changed === undefined ? others : [...others, [id, changed]])
      }),
  }
}

/** All that the parts of the editor of one rule share: what is typed, what it reads as, and what changes it. */
export function useRuleEditor(
  stored: RuleWithVersions | undefined,
  typedRules: ReturnType<typeof useTypedRules>,
  settings: RuleForm,
  change: (next: Partial<RuleForm>) => void,
) {
  const id = stored?.id ?? ''
  const typed = typedRules.of(id, stored)
  const form: RuleForm = { ...settings, text: typed.text }
  const read = readText(form.text)
  // The blocks of the last text that could be read.
  const rule = read.rule ?? typed.readable ?? NO_RULE
  const keep = (next: TypedRule) => typedRules.change(id, () => next)
  return {
    id,
    stored,
    typedRules,
    typed,
    form,
    change,
    read,
    rule,
    wrong: wrongFields(RulePreviewRequest, testOf(form, rule), form, { sizing: 'size', ...FEE_PLACE }),
    asksModel: ruleAsksModel(rule),
    market: marketOf(form, rule),
    keep,
    /** Another text, and where it comes from a file its name. */
    write: (text: string, name = typed.name) => {
      if (text !== typed.text) keep({ ...withText(typed, text, read.rule), name })
    },
  }
}
export type RuleEditor = ReturnType<typeof useRuleEditor>

const EditorContext = createContext<RuleEditor | null>(null)
export const EditorOf = EditorContext.Provider
export const useEditor = (): RuleEditor => use(EditorContext)!
