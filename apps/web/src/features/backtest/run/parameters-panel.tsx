import type { BacktestJob } from '@shapecast/contracts/backtest'
import type { Bot } from '@shapecast/contracts/bots'
import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { RISK_LABEL, sizeWords, strategyWords } from '#entities/bots/bot-words.ts'
import { costValuesOf } from '#entities/bots/costs.ts'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { formatCount, UNKNOWN } from '#kit/format/number.ts'
import { formatDuration, timeLeft } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import { FoldedForm } from '#kit/ui/folded.tsx'
import { Column, Text } from '#kit/ui/primitives.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { isUnderWay } from '#wire/calls/use-endpoint.ts'
import { useRunObstacle } from '#wire/session/auth-context.ts'
import { ModelChoice } from './model-choice.tsx'
import { useSizeWorth, worthWords } from './size-note.tsx'
import { RangeFields, TestCosts, UnseenSwitch } from './test-fields.tsx'
import { useBacktest } from './use-backtest.ts'
import { botLabel, whyNothing } from './use-parameters.ts'

function BotChoice() {
  const { form, test, choices } = useBacktest()
  const { bot, symbol } = test
  const { bots } = choices
  const market = useMarketOf(symbol ?? '')
  const emptyReason = whyNothing('bot', choices)
  const of = (words: (chosen: Bot) => string | undefined) => (bot && words(bot)) ?? UNKNOWN
  return (
    <>
      <SelectField
        label="Bot"
        value={bot?.id ?? ''}
        onChange={(botId) => {
          const { costs } = bots?.find(({ id }) => id === botId)?.parameters ?? {}
          form.change({ botId, ...(costs !== undefined && costValuesOf(costs)) })
        }}
        options={(bots ?? []).map((one) => ({ value: one.id, label: botLabel(one) }))}
        placeholder={bots === undefined && emptyReason === undefined ? 'Loading…' : 'Select a bot'}
        disabled={bots === undefined || bots.length === 0}
        help={emptyReason}
      />
      <Facts
        well
        facts={[
          { label: 'Symbol', value: of(({ tradingPairs }) => tradingPairs[0]) },
          { label: 'Strategy', value: of(strategyWords) },
          { label: 'Position size', value: of((chosen) => sizeWords(chosen, () => market)) },
          { label: 'Risk level', value: of(({ riskLevel }) => RISK_LABEL[riskLevel]) },
        ]}
      />
    </>
  )
}

const MODES = { bot: 'Bot Configuration', model: 'Model Only' }

/** What is tested, on which candles, at which cost; and how far the test is. */
export function ParametersPanel({
  folded,
  onRun,
}: {
  /** In one line beside what is looked at, with or without the way to run; null where all of it shows. */
  folded: { withRun: boolean; unfold: () => void } | null
  onRun: () => void
}) {
  const { form, test, choices, job, opened, isBusy, close } = useBacktest()
  const { mode, state } = test.parameters
  const isOfRun = opened.data !== undefined && state === 'filled'
  const obstacle = useRunObstacle() ?? (whyNothing(mode, choices) && `No ${mode} to test`)
  const runButton = (
    <Button variant="contained" fullWidth disabled={obstacle !== undefined} {...busyButton(isBusy, onRun)}>
      {obstacle ?? (isOfRun ? 'Run again' : 'Run Backtest')}
    </Button>
  )
  if (folded !== null)
    return (
      <Column gap={1}>
        <FoldedParameters unfold={folded.unfold}>{folded.withRun && <div>{runButton}</div>}</FoldedParameters>
        {job.isRunning && <JobStatus />}
      </Column>
    )
  return (
    <Card
      title="Parameters"
      {...(isOfRun && { facts: 'of the run opened' })}
      actions={
        <Button
          variant="text"
          size="small"
          startIcon={<RotateCcw size={14} />}
          onClick={() => {
            form.reset()
            close()
          }}
          style={{ marginRight: -8 }}
        >
          Reset
        </Button>
      }
    >
      <Column gap={1.5} onBlur={form.onBlur}>
        <div>
          <Text size="label" tone="text2" style={{ display: 'block', marginBottom: 6 }}>
            Test Mode
          </Text>
          <ToggleGroup
            label="Test Mode"
            value={mode}
            onChange={(next) => form.change({ mode: next })}
            choices={MODES}
            fullWidth
          />
        </div>
        {mode === 'bot' ? <BotChoice /> : <ModelChoice />}
        <RangeFields />
        <UnseenSwitch />
        <TestCosts />
        {runButton}
        <JobStatus />
      </Column>
    </Card>
  )
}

/** The form in one line, which says what the size of a model's test is worth. */
function FoldedParameters({ unfold, children }: { unfold: () => void; children: ReactNode }) {
  const { parameters } = useBacktest().test
  const { found, quote } = useSizeWorth(parameters)
  const worth = parameters.mode === 'model' ? found : null
  return (
    <FoldedForm
      title="Parameters"
      note={worth === null ? undefined : worthWords(worth, quote)}
      isWarned={worth !== null && worth.ratio > 1}
      onUnfold={unfold}
    >
      {children}
    </FoldedForm>
  )
}

function JobStatus() {
  const { job: control, opened } = useBacktest()
  const { job, isStarting, isRunning, isCancelling, cancel } = control
  if (job === undefined && !isStarting && !isRunning) return null
  // With the run of the job it is known how long it took.
  const run = opened.data
  const tookMs = job !== undefined && job.runId === run?._id ? Math.max(0, run.params.createdAt - job.createdAt) : null
  const { text, pct } = job === undefined ? { text: 'Queued…', pct: 0 } : progressOfJob(job, tookMs)
  return (
    <div>
      <ProgressBar words={text} pct={pct} />
      {isUnderWay(job) && (
        <Button
          variant="text"
          size="small"
          style={{ marginTop: 4, marginLeft: -10 }}
          {...busyButton(isCancelling, cancel)}
        >
          {isCancelling ? 'Cancelling…' : 'Cancel'}
        </Button>
      )}
    </div>
  )
}

/** A job in words and whole percent. `tookMs` is how long a completed one ran, null where that is not known. */
export function progressOfJob(job: Pick<BacktestJob, 'status' | 'progress'>, tookMs: number | null) {
  const { current, total, leftS } = job.progress
  const done = total > 0 ? Math.min(100, Math.floor((100 * current) / total)) : 0
  const running =
    total > 0 ? `Running, ${formatCount(current)} of ${formatCount(total)} candles${timeLeft(leftS)}` : 'Running…'
  const by: Readonly<Record<BacktestJob['status'], { text: string; pct: number }>> = {
    queued: { text: 'Queued…', pct: 0 },
    running: { text: running, pct: Math.min(99, done) },
    completed: { text: tookMs === null ? 'Completed' : `Completed in ${formatDuration(tookMs)}`, pct: 100 },
    failed: { text: 'Failed', pct: done },
    cancelled: { text: 'Cancelled', pct: done },
  }
  return by[job.status]
}
