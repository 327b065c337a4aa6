import { previewRule, type RulePreview } from '@shapecast/contracts/rules'
import { ruleText } from '@shapecast/engine/rules/print'
import { type Rule, ruleAsksModel } from '@shapecast/engine/rules/tree'
import { BookOpen, Bot, FileDown, FileUp, Undo2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type RuleDraft, ruleState } from '#entities/bots/rule-draft.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Text } from '#kit/ui/text.tsx'
import { useSettled } from '#kit/ui/use-settled.ts'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { RuleBlocks } from './rule-blocks.tsx'
import { readRuleFile } from './rule-file.ts'
import {
  lastReadable,
  marketOf,
  NEW_RULE,
  previewObstacle,
  type RuleForm,
  readText,
  sizingOf,
  testOf,
  wrongSettings,
} from './rule-form.ts'
import { RuleLibrary } from './rule-library.tsx'
import css from './rule-page.module.css'
import { RulePreviewCards, RulePreviewVerdict } from './rule-preview-cards.tsx'
import { RuleSettings } from './rule-settings.tsx'
import { RuleTextField } from './rule-text.tsx'
import { useRuleBacktest } from './use-rule-backtest.ts'

/** After the last key, ms. */
const WAIT_MS = 300
const NO_NAME = 'New rule'

/** The rule editor: a rule as text and as blocks, and what it would have done. */
export function RulePage() {
  const user = useUser()
  const mayRun = useIsManager()
  const navigate = useNavigate()
  const [form, setForm] = useState(NEW_RULE)
  const [name, setName] = useState(NO_NAME)
  const [past, setPast] = useState<readonly string[]>([])
  const [readable, setReadable] = useState<Rule | null>(null)
  const [isLibraryOpen, setIsLibraryOpen] = useState(false)
  const [fileFailure, setFileFailure] = useState<string | null>(null)
  const backtest = useRuleBacktest()

  const read = readText(form.text)
  const rule = lastReadable(read.rule, readable)
  const wrong = wrongSettings(form, rule)
  const asksModel = ruleAsksModel(rule)
  const change = (next: Partial<RuleForm>) => setForm({ ...form, ...next })
  const write = (text: string) => {
    if (text === form.text) return
    setPast([...past.slice(-49), form.text])
    // Its blocks stay while the text cannot be read.
    if (read.rule !== null) setReadable(read.rule)
    change({ text })
  }
  const undo = () => {
    setPast(past.slice(0, -1))
    change({ text: past.at(-1)! })
  }
  const preview = usePreview(form, rule, read, Object.keys(wrong).length > 0)
  const isRunnable = read.problem === null && Object.keys(wrong).length === 0
  const draft = (): RuleDraft => ({
    name: name === NO_NAME ? '' : name,
    rule: ruleText(rule),
    symbol: form.symbol,
    timeframe: form.timeframe,
    sizing: sizingOf(form),
    marketType: marketOf(form, rule),
    leverage: form.leverage ?? 1,
    initialBalance: form.initialBalance ?? 0,
    version: form.version,
  })
  return (
    <div className={layout.pageColumn}>
      <title>Rule · Shapecast</title>
      <Row gap={1} wrap>
        <Text size="h1">{name}</Text>
        <Chip label="rule" />
        <Chip label={form.symbol} />
        <Chip label={form.timeframe} tone="outline" />
        <div className={css.actions}>
          <Button startIcon={<BookOpen size={16} />} onClick={() => setIsLibraryOpen(true)}>
            Published rules
          </Button>
          <Button
            startIcon={<Bot size={16} />}
            disabled={!isRunnable || user === null}
            onClick={() => void navigate(paths.createBot, { state: ruleState(draft()) })}
          >
            Use in a bot
          </Button>
          <Button
            variant="contained"
            disabled={!isRunnable || !mayRun}
            {...busyButton(backtest.isBusy, () =>
              backtest.run({
                ...testOf(form, rule),
                mode: 'rule',
                // As in the preview.
                maxDrawdown: 0,
                ...(asksModel && form.version !== '' && { mlModelVersion: form.version }),
              }),
            )}
          >
            {mayRun
              ? backtest.isBusy
                ? 'Running…'
                : 'Run backtest'
              : user === null
                ? 'Sign in to run'
                : 'Run disabled for your role'}
          </Button>
        </div>
      </Row>
      {backtest.failure !== null && (
        <Banner kind="error" title="The backtest failed">
          {backtest.failure}
        </Banner>
      )}
      {fileFailure !== null && (
        <Banner kind="error" title="This file is no rule" onDismiss={() => setFileFailure(null)}>
          {fileFailure}
        </Banner>
      )}
      <div className={css.columns}>
        <div className={css.rule}>
          <Card
            title="Rule"
            facts="the blocks and the text are one"
            flush
            actions={
              <Button
                variant="text"
                size="small"
                startIcon={<Undo2 size={14} />}
                disabled={past.length === 0}
                onClick={undo}
              >
                Undo
              </Button>
            }
          >
            <div className={layout.inset}>
              <RuleTextField text={form.text} problem={read.problem} onChange={write} />
              <FileButtons
                name={name}
                text={form.text}
                onRule={(text, fileName) => {
                  setFileFailure(null)
                  setName(fileName)
                  write(text)
                }}
                onFailure={setFileFailure}
              />
            </div>
            <RuleBlocks rule={rule} found={preview.data?.conditions ?? []} onChange={(next) => write(ruleText(next))} />
          </Card>
          <Card title="Tried on" flush>
            <RuleSettings
              form={form}
              asksModel={asksModel}
              isShort={rule.short !== null}
              wrong={wrong}
              change={change}
            />
          </Card>
        </div>
        <div className={css.verdict}>
          <PreviewState preview={preview}>
            {(found, isOld) => <RulePreviewVerdict preview={found} isOld={isOld} />}
          </PreviewState>
        </div>
        {preview.data !== undefined && (
          <div className={css.preview}>
            <RulePreviewCards
              preview={preview.data}
              initialBalance={form.initialBalance ?? 0}
              marketType={marketOf(form, rule)}
            />
          </div>
        )}
      </div>
      {isLibraryOpen && (
        <RuleLibrary
          onClose={() => setIsLibraryOpen(false)}
          onUse={(chosen) => {
            setIsLibraryOpen(false)
            setName(chosen.name)
            setPast([...past, form.text])
            change({ text: chosen.text, timeframe: chosen.timeframe })
          }}
        />
      )}
    </div>
  )
}

interface Preview {
  readonly data: RulePreview | undefined
  /** Of what stood before. */
  readonly isOld: boolean
  /** Why there is none. */
  readonly obstacle: string | null
}

function usePreview(form: RuleForm, rule: Rule, read: ReturnType<typeof readText>, isWrong: boolean): Preview {
  const body = JSON.stringify(testOf(form, rule))
  const settled = useSettled(body, WAIT_MS)
  const isSignedIn = useUser() !== null
  const obstacle = !isSignedIn
    ? 'Sign in to see what a rule would have done.'
    : isWrong
      ? 'The preview waits for the fields that must be changed.'
      : previewObstacle(read)
  const reply = useEndpointQuery(
    previewRule,
    { body: JSON.parse(settled) },
    {
      enabled: obstacle === null && settled === body,
      staleTime: 5 * 60_000,
      retry: false,
      placeholderData: (before) => before,
    },
  )
  const failure =
    reply.isError && settled === body ? errorInFull(reply.error, 'What this rule did could not be worked out.') : null
  return {
    data: reply.data,
    isOld: obstacle !== null || settled !== body || reply.isPlaceholderData || reply.isFetching,
    obstacle: obstacle ?? failure,
  }
}

function PreviewState({
  preview: { data, isOld, obstacle },
  children,
}: {
  preview: Preview
  children: (found: RulePreview, isOld: boolean) => ReactNode
}) {
  return (
    <>
      {obstacle !== null && (
        <Card title="Preview">
          <Text tone="text2" role="status">
            {obstacle}
          </Text>
        </Card>
      )}
      {data !== undefined
        ? children(data, isOld)
        : obstacle === null && (
            <SkeletonGroup label="Working out what the rule would have done">
              <SkeletonBox height={168} />
            </SkeletonGroup>
          )}
    </>
  )
}

/** A rule is saved as a file and read from one, as text or as blocks in JSON. */
function FileButtons({
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
