import { parseRule } from '@shapecast/engine/rules/parse'
import { ruleText } from '@shapecast/engine/rules/print'
import { RuleProblem } from '@shapecast/engine/rules/problem'
import { readRule } from '@shapecast/engine/rules/read-tree'
import { FileDown, FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { saveFile } from '#wire/calls/save-file.ts'

/** A rule is saved as a file and read from one, as text or as blocks in JSON. */
export function FileButtons({
  name,
  text,
  onRule,
  onFailure,
}: {
  name: string
  text: string
  onRule: (text: string, name: string) => void
  onFailure: (words: string) => void
}) {
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
              name: `${name.replace(/[^\p{L}\p{N} _-]/gu, '_')}.rule.txt`,
              content: new Blob([`${text}\n`], { type: 'text/plain' }),
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
            if ('text' in found) onRule(found.text, file.name.replace(/(\.rule)?\.(txt|json)$/i, ''))
            else onFailure(`${file.name}: ${found.refusal}`)
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
