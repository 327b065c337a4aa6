import type { RuleProblem } from '@shapecast/engine/rules/problem'
import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#kit/ui/button.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Note } from '#kit/ui/text.tsx'
import css from './rule-text.module.css'

/** The text with the suggestion in the place of what cannot be read. */
export const corrected = (text: string, { place, suggestion }: RuleProblem): string =>
  place === null || suggestion === null
    ? text
    : text.slice(0, place.offset) + suggestion + text.slice(place.offset + place.length)

/** A rule as text. What cannot be read is underlined where it stands, and said below with its line and column. */
export function RuleTextField({
  text,
  problem,
  onChange,
}: {
  text: string
  problem: RuleProblem | null
  onChange: (text: string) => void
}) {
  const id = useId()
  const place = problem?.place
  const [before, wrong, after] =
    place == null
      ? [text, '', '']
      : [
          text.slice(0, place.offset),
          text.slice(place.offset, place.offset + place.length),
          text.slice(place.offset + place.length),
        ]
  return (
    <div>
      <div className={problem === null ? css.field : `${css.field} ${css.wrong}`}>
        {/* Under the text, letter by letter as it is drawn above: it carries the underline, and makes the field as high as its lines. */}
        <div aria-hidden className={css.under}>
          {before}
          <mark>{wrong}</mark>
          {after}
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
          onChange={({ target }) => onChange(target.value)}
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
              <Button variant="text" size="small" onClick={() => onChange(corrected(text, problem))}>
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
