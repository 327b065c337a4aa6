import type { StoredRule } from '@shapecast/contracts/stored-rules'
import type { Rule } from '@shapecast/engine/rules/tree'
import { useInsertionEffect, useState } from 'react'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { NEW_RULE } from './rule-form.ts'

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

export const withText = (typed: TypedRule, text: string, readable: Rule | null): TypedRule => ({
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
