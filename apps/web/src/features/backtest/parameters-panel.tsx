import { Button } from '@mui/material'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Card } from '#kit/ui/card.tsx'
import { FoldedForm } from '#kit/ui/folded-form.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { useIsManager } from '#wire/session/auth-context.ts'
import { JobStatus } from './job/job-status.tsx'
import type { BacktestJobControl } from './job/use-backtest-job.ts'
import { BotChoice } from './parameters/bot-choice.tsx'
import { CostFields } from './parameters/cost-fields.tsx'
import { ModelChoice } from './parameters/model-choice.tsx'
import { RangeFields } from './parameters/range-fields.tsx'
import { RunButton } from './parameters/run-button.tsx'
import { useSizeWorth, worthWords } from './parameters/size-note.tsx'
import { UnseenSwitch } from './parameters/unseen-switch.tsx'
import type { ParametersControl } from './parameters/use-parameters.ts'

const MODES = [
  { value: 'bot', label: 'Bot Configuration' },
  { value: 'model', label: 'Model Only' },
] as const

export interface ParametersPanelProps {
  control: ParametersControl
  job: BacktestJobControl
  tookMs: number | null
  /** Whose values stand in the fields; null where they are one's own. */
  openedRunId: string | null
  /** What is shown beside the form, which is folded then on a phone; null where nothing is. */
  shownBeside: string | null
  /** Folded however wide the page is: other runs are being compared. */
  isComparing: boolean
  /** Goes back to the values that the page begins with. */
  onReset: () => void
}

const emptyReason = (
  query: { isError: boolean; data: { length: number } | undefined },
  failed: string,
  none: string,
) => (query.isError && query.data === undefined ? failed : query.data?.length === 0 ? none : undefined)

/** What is tested, on which candles, at which cost; and how far the test is. */
export function ParametersPanel({
  control,
  job,
  tookMs,
  openedRunId,
  shownBeside,
  isComparing,
  onReset,
}: ParametersPanelProps) {
  const { parameters, change, form } = control
  const mayRun = useIsManager()
  const isNarrow = useIsNarrow()
  const size = useSizeWorth(parameters)
  const worth = parameters.mode === 'model' ? size.found : null
  const [unfoldedBeside, setUnfoldedBeside] = useState<string | null>(null)
  const run = () => {
    if (Object.keys(form.wrong).length > 0) setUnfoldedBeside(shownBeside)
    void form.submit((request) => job.start({ request, symbol: control.symbol! }))()
  }
  const models = control.modelList.data?.models
  const none =
    parameters.mode === 'bot'
      ? emptyReason(
          control.botList,
          'The bots could not be loaded.',
          'There is no bot yet. Create one on the Bots page.',
        )
      : emptyReason(
          { isError: control.modelList.isError, data: models },
          'The models could not be loaded.',
          'There is no model yet. Train one on the Lern page.',
        )
  const runButton = (
    <RunButton
      mayRun={mayRun}
      isBusy={job.isStarting || job.isRunning}
      isAgain={openedRunId !== null}
      lacks={none === undefined ? null : parameters.mode}
      onRun={run}
    />
  )
  const status = (
    <JobStatus
      job={job.job}
      isStarting={job.isStarting}
      isRunning={job.isRunning}
      isCancelling={job.isCancelling}
      tookMs={tookMs}
      onCancel={job.cancel}
    />
  )
  if ((isNarrow || isComparing) && shownBeside !== null && unfoldedBeside !== shownBeside)
    return (
      <Column gap={1}>
        <FoldedForm
          title="Parameters"
          note={worth === null ? undefined : worthWords(worth, size.quote)}
          isWarned={worth !== null && worth.ratio > 1}
          onUnfold={() => setUnfoldedBeside(shownBeside)}
        >
          {!isComparing && <div>{runButton}</div>}
        </FoldedForm>
        {job.isRunning && status}
      </Column>
    )
  return (
    <Card
      title="Parameters"
      {...(openedRunId !== null && { facts: 'of the run opened' })}
      actions={
        <Button
          variant="text"
          size="small"
          startIcon={<RotateCcw size={14} />}
          onClick={onReset}
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
            value={parameters.mode}
            onChange={(mode) => change({ mode })}
            choices={MODES}
            fullWidth
          />
        </div>
        {parameters.mode === 'bot' ? (
          <BotChoice
            bots={control.botList.data}
            bot={control.bot}
            market={control.marketList.data?.find((market) => market.id === control.symbol)}
            onChange={(botId) => change({ botId })}
            emptyReason={none}
          />
        ) : (
          <ModelChoice control={control} emptyReason={none} />
        )}
        <RangeFields control={control} />
        <UnseenSwitch control={control} />
        <CostFields form={form} />
        {runButton}
        {status}
      </Column>
    </Card>
  )
}
