import { ApiError } from '@shapecast/contracts/client'
import { type RuleWithVersions, storedRule } from '@shapecast/contracts/stored-rules'
import { ruleText } from '@shapecast/engine/rules/print'
import { BookOpen, Bot, Footprints, Grid3x3, ScanSearch, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { VisibilityChip } from '#entities/bots/bot-chips.tsx'
import { type RuleDraft, ruleState } from '#entities/bots/rule-draft.ts'
import { useShownTries } from '#entities/runs/lab-tries.tsx'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton, LinkButton } from '#kit/ui/button.tsx'
import { Card, EmptyState } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'
import { useNarrowerThan } from '#kit/ui/use-is-narrow.ts'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useRunObstacle, useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SignedIn } from '#wire/ui/signed-in.tsx'
import { RuleBlocks } from './rule-blocks.tsx'
import {
  begunFrom,
  type RuleEditor as Editor,
  EditorOf,
  NEW_RULE,
  NO_NAME,
  sizingOf,
  type TypedRule,
  testOf,
  useRuleEditor,
  useTypedRules,
} from './rule-form.ts'
import { RuleList } from './rule-list.tsx'
import css from './rule-page.module.css'
import { RulePreviewCards, RulePreviewVerdict } from './rule-preview-cards.tsx'
import { PreviewState, usePreview, useRuleBacktest } from './rule-preview-state.tsx'
import { NewerVersion, RuleSaving } from './rule-saving.tsx'
import { FileButtons, RuleSettings, RuleTextField } from './rule-text.tsx'
import { RuleVersions } from './rule-versions.tsx'

const USES = [
  ['Use in a bot', <Bot key="bot" size={16} />, paths.createBot],
  ['Search its parameters', <ScanSearch key="search" size={16} />, paths.search()],
  ['Walk forward', <Footprints key="walk" size={16} />, paths.walkForward()],
  ['Batch', <Grid3x3 key="batch" size={16} />, paths.batch()],
] as const

/** The rule editor: a rule as text and as blocks, what it would have done, and its versions where it is stored. */
export function RulePage() {
  const { id } = useParams()
  // Somebody who is signed out sees the public ones.
  const stored = useEndpointQuery(storedRule, { params: { id: id ?? '' } }, { enabled: id !== undefined, retry: false })
  const [form, setForm] = useState(NEW_RULE)
  const rule = id === undefined ? undefined : stored.data
  const editor = useRuleEditor(rule, useTypedRules(), form, (next) => setForm({ ...form, ...next }))
  if (id === undefined || stored.data !== undefined)
    return (
      <EditorOf value={editor}>
        <RuleEditor editor={editor} />
      </EditorOf>
    )
  const isGone = stored.error instanceof ApiError && stored.error.status < 500 && stored.error.fromServer
  return (
    <div className={layout.pageColumn}>
      <title>Rule · Shapecast</title>
      {isGone ? (
        <SignedIn to="see this rule">
          <EmptyState
            isPage
            title="This rule does not exist, or its owner keeps it private"
            action={<LinkButton to={paths.rule}>Write a rule</LinkButton>}
          />
        </SignedIn>
      ) : (
        <QueryBoundary reply={stored} of="the rule" px={640} />
      )}
    </div>
  )
}

function RuleEditor({ editor }: { editor: Editor }) {
  const { id, stored, typedRules, typed, form, change, read, rule, wrong, asksModel, market } = editor
  const obstacle = useRunObstacle()
  const isSignedIn = useUser() !== null
  const navigate = useNavigate()
  // What is done with a rule stands below it there: what it did comes first.
  const isNarrow = useNarrowerThan(600)
  const [isListOpen, setIsListOpen] = useState(false)
  const [fileFailure, setFileFailure] = useState<string | null>(null)
  const backtest = useRuleBacktest()
  const undo = () => editor.keep({ ...typed, text: typed.past.at(-1)!, past: typed.past.slice(0, -1) })
  const preview = usePreview(editor)
  useShownTries(preview.data?.trials, form.symbol, form.timeframe)
  const isRunnable = read.problem === null && Object.keys(wrong).length === 0
  const { origin, chip } = standing(typed, stored)
  const draft = (): RuleDraft => ({
    name: typed.name === NO_NAME ? '' : typed.name,
    rule: ruleText(rule),
    ruleOrigin: origin,
    symbol: form.symbol,
    timeframe: form.timeframe,
    sizing: sizingOf(form),
    marketType: market,
    leverage: form.leverage ?? 1,
    initialBalance: form.initialBalance ?? 0,
    version: form.version,
  })
  const uses = (
    <>
      {USES.map(([label, icon, to]) => (
        <Button
          key={to}
          startIcon={icon}
          disabled={!isRunnable || !isSignedIn}
          onClick={() => void navigate(to, { state: ruleState(draft()) })}
        >
          {label}
        </Button>
      ))}
      <Button
        disabled={!isRunnable || obstacle !== null}
        {...busyButton(backtest.isBusy, () =>
          backtest.run({
            ...testOf(form, rule),
            mode: 'rule',
            ruleOrigin: origin,
            // As in the preview.
            maxDrawdown: 0,
            ...(asksModel && form.version !== '' && { mlModelVersion: form.version }),
          }),
        )}
      >
        {obstacle ?? (backtest.isBusy ? 'Running…' : 'Run backtest')}
      </Button>
    </>
  )
  return (
    <div className={layout.pageColumn}>
      <title>{`${typed.name === NO_NAME ? 'Rule' : typed.name} · Shapecast`}</title>
      <Row gap={1} wrap>
        <Text size="h1" breaks>
          {typed.name}
        </Text>
        <Chip label="rule" />
        <Chip label={form.symbol} />
        <Chip label={form.timeframe} tone="outline" />
        <Chip label={chip} tone="outline" />
        {stored !== undefined && <VisibilityChip visibility={stored.visibility} />}
        <Row gap={1} wrap className={layout.end}>
          <Button startIcon={<BookOpen size={16} />} onClick={() => setIsListOpen(true)}>
            Rules
          </Button>
          {!isNarrow && uses}
          <RuleSaving key={id} />
        </Row>
      </Row>
      <NewerVersion />
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
                disabled={typed.past.length === 0}
                onClick={undo}
              >
                Undo
              </Button>
            }
          >
            <div className={layout.inset}>
              <RuleTextField />
              <FileButtons onFailure={setFileFailure} />
            </div>
            <RuleBlocks found={preview.data} />
          </Card>
          {stored !== undefined && <RuleVersions key={id} rule={stored} />}
          <Card title="Tried on" flush>
            <RuleSettings />
          </Card>
        </div>
        <div className={css.verdict}>
          <PreviewState preview={preview}>
            {(found, isOld) => <RulePreviewVerdict preview={found} isOld={isOld} />}
          </PreviewState>
        </div>
        {preview.data !== undefined && (
          <div className={css.preview}>
            <RulePreviewCards preview={preview.data} />
          </div>
        )}
      </div>
      {isNarrow && <Column gap={1}>{uses}</Column>}
      {isListOpen && (
        <RuleList
          onClose={() => setIsListOpen(false)}
          onOpen={(opened) => {
            setIsListOpen(false)
            void navigate(paths.storedRule(opened))
          }}
          onBegin={({ rule, timeframe, name }) => {
            setIsListOpen(false)
            change({ timeframe })
            typedRules.change('', (before) => {
              const { text, past } = before ?? begunFrom(NEW_RULE.text)
              return begunFrom(rule, null, name, [...past, text])
            })
            void navigate(paths.rule)
          }}
        />
      )}
    </div>
  )
}

/** Of which version the text is, wherever it was brought back from, and the words for it. */
function standing(typed: TypedRule, stored: RuleWithVersions | undefined) {
  const found = stored?.versions.find(({ text }) => text === typed.text.trim())
  if (stored === undefined) return { origin: undefined, chip: 'not saved' }
  const { id, name, version: newest } = stored
  const origin = found && { id, version: found.version, name }
  const version = found?.version ?? typed.base.version ?? newest
  return {
    origin,
    chip: `version ${version}${found === undefined ? ', changed' : version < newest ? ', not the newest' : ''}`,
  }
}
