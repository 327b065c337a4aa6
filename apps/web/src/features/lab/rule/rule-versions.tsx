import type { RuleWithVersions } from '@shapecast/contracts/stored-rules'
import { RotateCcw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Columns, Note } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { isChanged, useEditor } from './rule-form.ts'
import css from './rule-page.module.css'

/** In the place of a version: what stands in the editor. */
const TYPED = 'typed'

/** The versions of a stored rule: what changed between two of them, or up to what is typed, and the way back to one. */
export function RuleVersions({ rule: { versions, version: newest, savedAt } }: { rule: RuleWithVersions }) {
  const { typed, write } = useEditor()
  const [chosen, setChosen] = useState<{ readonly from?: string; readonly to?: string }>({})
  const isUnsaved = isChanged(typed)
  const texts = new Map(versions.map(({ version, text }) => [String(version), text]))
  if (isUnsaved) texts.set(TYPED, typed.text)
  const pick = (id: string | undefined, otherwise: string) => (id !== undefined && texts.has(id) ? id : otherwise)
  const from = pick(chosen.from, String(isUnsaved ? newest : Math.max(1, newest - 1)))
  const to = pick(chosen.to, isUnsaved ? TYPED : String(newest))
  const [before, after] = [texts.get(from) ?? '', texts.get(to) ?? '']
  const pieces = useMemo(() => diffText(before, after), [before, after])
  const options = [
    ...(isUnsaved ? [{ value: TYPED, label: 'What stands here', note: 'not saved' }] : []),
    ...versions.map(({ version, savedAt }) => ({
      value: String(version),
      label: `Version ${version}`,
      note: formatTableTimeYear(savedAt),
    })),
  ]
  return (
    <Card
      title="Versions"
      facts={
        <>
          {newest}, the newest saved <Ago ms={savedAt} />
        </>
      }
    >
      {texts.size === 1 ? (
        <Note>Each change that you save becomes the next version. The ones before stay.</Note>
      ) : (
        <>
          <Columns gap={1.5} at={{ xs: 2 }}>
            <SelectField
              label="From"
              value={from}
              options={options.filter(({ value }) => value !== TYPED)}
              onChange={(value) => setChosen({ ...chosen, from: value })}
            />
            <SelectField
              label="To"
              value={to}
              options={options}
              onChange={(value) => setChosen({ ...chosen, to: value })}
            />
          </Columns>
          <section aria-label="What changed">
            <pre className={css.changed}>
              {pieces.map(({ kind, text }, at) => {
                const key = `${at} ${kind}`
                if (kind === 'removed') return <del key={key}>{text}</del>
                return kind === 'added' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>
              })}
            </pre>
          </section>
          {before === after && <Note>The two are the same.</Note>}
          {before.trim() !== typed.text.trim() && (
            <Button size="small" startIcon={<RotateCcw size={14} />} onClick={() => write(before)}>
              Bring back version {from}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}

/** Whether a piece of two texts is in both, only in the first, or only in the second. */
type Kind = 'same' | 'removed' | 'added'

const wordsOf = (text: string): string[] => text.match(/[\w.]+|\s+|[^\w\s]/g) ?? []

/** What differs between two texts, word by word, by their longest common subsequence. */
export function diffText(before: string, after: string) {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  const width = b.length + 1
  /** Words in common from the i-th of `a` and the j-th of `b` on. */
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const pieces: { kind: Kind; text: string }[] = []
  const add = (kind: Kind, text: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else pieces.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('same', a[i++]!)
      j++
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      add('removed', a[i++]!)
    else add('added', b[j++]!)
  }
  return pieces
}
