import { parseRule } from '@shapecast/engine/rules/parse'
import { ruleText } from '@shapecast/engine/rules/print'
import { RuleProblem } from '@shapecast/engine/rules/problem'
import { readRule } from '@shapecast/engine/rules/read-tree'
import { CircleAlert, FileDown, FileUp } from 'lucide-react'
import { useId, useRef } from 'react'
import { FeesByVenue } from '#entities/bots/cost-fields.tsx'
import { SeriesFields } from '#entities/markets/series-fields.tsx'
import { Button } from '#kit/ui/button.tsx'
import { fieldsOf } from '#kit/ui/field.tsx'
import layout from '#kit/ui/layout.module.css'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Note, Row } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { saveFile } from '#wire/calls/save-file.ts'
import { ModelField } from '../lab-parts.tsx'
import { type RuleForm, useEditor } from './rule-form.ts'
import css from './rule-page.module.css'

/** The text with the suggestion in the place of what cannot be read. */
const corrected = (text: string, { place, suggestion }: RuleProblem): string =>
  place === null || suggestion === null
    ? text
    : text.slice(0, place.offset) + suggestion + text.slice(place.offset + place.length)

/** A rule as text. What cannot be read is underlined where it stands, and said below with its line and column. */
export function RuleTextField() {
  const {
    form: { text },
    read: { problem },
    write,
  } = useEditor()
  const id = useId()
  const { offset, length } = problem?.place ?? { offset: text.length, length: 0 }
  return (
    <div>
      <div className={problem === null ? css.code : `${css.code} ${css.wrong}`}>
        {/* Under the text, letter by letter as it is drawn above: it carries the underline, and makes the field as high as its lines. */}
        <div aria-hidden className={css.under}>
          {text.slice(0, offset)}
          <mark>{text.slice(offset, offset + length)}</mark>
          {text.slice(offset + length)}
          {'\n'}
        </div>
        <textarea
          id={id}
          aria-label="Rule as text"
          aria-invalid={problem !== null}
          aria-describedby={`${id}-line`}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          value={text}
          onChange={({ target }) => write(target.value)}
        />
      </div>
      {problem === null ? (
        <Note id={`${id}-line`} above={0.75}>
          Typing changes the blocks; the blocks change the text.
        </Note>
      ) : (
        <div id={`${id}-line`} role="alert">
          <Row gap={0.75} align="start" above={0.75}>
            <CircleAlert size={14} className={css.icon} aria-hidden />
            <Note breaks tone="down">
              {problem.message}
            </Note>
            {problem.suggestion !== null && (
              <Button variant="text" size="small" onClick={() => write(corrected(text, problem))}>
                Use {problem.suggestion}
              </Button>
            )}
          </Row>
          <Note>The blocks and the preview keep the last rule that could be read.</Note>
        </div>
      )}
    </div>
  )
}

const SIZES = [
  { value: 'percent_of_equity', label: 'Share of equity', unit: '%', usual: 100 },
  { value: 'quote_amount', label: 'Fixed amount', unit: 'USDT', usual: 100 },
  { value: 'volatility_target', label: 'Volatility target', unit: '% a year', usual: 40 },
] as const

/** On which candles a rule is tried, with how much money and at which cost. */
export function RuleSettings() {
  const { form, rule, market, wrong, asksModel, change } = useEditor()
  const isShort = rule.short !== null
  const sizeOf = (kind: RuleForm['sizeKind']) => SIZES.find(({ value }) => value === kind)!
  const field = fieldsOf(form, change, wrong)
  return (
    <div className={`${layout.halves} ${css.fields}`}>
      <SeriesFields symbol={form.symbol} timeframe={form.timeframe} onChange={change} />
      <NumberField label="Newest candles" {...field('limit')} min={100} max={100_000} step={100} />
      <NumberField label="Initial balance" {...field('initialBalance')} min={10} step={100} unit="USDT" />
      <SelectField
        label="Size of an entry"
        value={form.sizeKind}
        onChange={(sizeKind) => change({ sizeKind, size: sizeOf(sizeKind).usual })}
        options={SIZES}
      />
      <NumberField label="Size" {...field('size')} min={0} step={10} unit={sizeOf(form.sizeKind).unit} />
      <FeesByVenue market={market} feePct={form.feePct} change={({ feePct }) => change({ feePct })} />
      <NumberField label="Fee" {...field('feePct')} min={0} step={0.01} unit="%" />
      <NumberField label="Slippage" {...field('slippageBps')} min={0} step={1} unit="bps" />
      <SelectField
        label="Market type"
        value={market}
        onChange={(next) => change({ isFutures: next === 'futures' })}
        options={[
          { value: 'spot', label: 'Spot', disabled: isShort, ...(isShort && { note: 'cannot sell short' }) },
          { value: 'futures', label: 'Futures' },
        ]}
      />
      {market === 'futures' && (
        <NumberField label="Leverage" {...field('leverage')} min={1} max={100} step={1} unit="×" />
      )}
      {asksModel && <ModelField version={form.version} onChange={(version) => change({ version })} />}
    </div>
  )
}

/** A rule is saved as a file and read from one, as text or as blocks in JSON. */
export function FileButtons({ onFailure }: { onFailure: (words: string | null) => void }) {
  const { typed, write } = useEditor()
  const input = useRef<HTMLInputElement>(null)
  return (
    <Row gap={1} wrap above={1}>
      <Button size="small" startIcon={<FileUp size={14} />} onClick={() => input.current?.click()}>
        Open a file
      </Button>
      <Button
        size="small"
        startIcon={<FileDown size={14} />}
        onClick={() =>
          saveFile(
            {
              name: `${typed.name.replace(/[^\p{L}\p{N} _-]/gu, '_')}.rule.txt`,
              content: new Blob([`${typed.text}\n`], { type: 'text/plain' }),
            },
            'rule.txt',
          )
        }
      >
        Save as a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".txt,.json,text/plain,application/json"
        aria-label="File with a rule"
        tabIndex={-1}
        className={layout.visuallyHidden}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file === undefined) return
          void file.text().then((content) => {
            const found = readRuleFile(content)
            onFailure('text' in found ? null : `${file.name}: ${found.refusal}`)
            if ('text' in found) write(found.text, file.name.replace(/(\.rule)?\.(txt|json)$/i, ''))
            // The same file chosen again counts as a choice.
            target.value = ''
          })
        }}
      />
    </Row>
  )
}

/** The text of a rule from a file, which holds it as text or as blocks in JSON; or why it is none. */
export function readRuleFile(content: string): { readonly text: string } | { readonly refusal: string } {
  const text = content.trim()
  try {
    if (!text.startsWith('{')) {
      parseRule(text)
      return { text }
    }
    return { text: ruleText(readRule(JSON.parse(text))) }
  } catch (error) {
    if (error instanceof RuleProblem) return { refusal: error.message }
    if (error instanceof SyntaxError) return { refusal: 'It begins like JSON and is none.' }
    throw error
  }
}
