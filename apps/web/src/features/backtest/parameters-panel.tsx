import { Button } from '@mui/material'
import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
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
import { firstError } from './parameters/check-parameters.ts'
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
  besides: string | null
  /** Folded however wide the page is: other runs are being compared. */
  isComparing: boolean
  /** Goes back to the values that the page begins with. */
  onReset: () => void
  /** Told why a run cannot start, in the words of the first thing that is wrong; null where it can. */
  onRefused: (reason: string | null) => void
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
  besides,
  isComparing,
  onReset,
  onRefused,
}: ParametersPanelProps) {
  const { parameters, change, checked } = control
  const mayRun = useIsManager()
  const [wasTried, setWasTried] = useState(false)
  const errors = wasTried ? checked.errors : {}
  // What was refused is gone once its cause is.
  const refusal = wasTried ? firstError(checked.errors) : null
  useEffect(() => onRefused(refusal), [refusal, onRefused])
  const isNarrow = useIsNarrow()
  const size = useSizeWorth(parameters)
  const worth = parameters.mode === 'model' ? size.found : null
  const [unfoldedBeside, setUnfoldedBeside] = useState<string | null>(null)
  const run = () => {
    setWasTried(true)
    if (checked.plan !== null) job.start(checked.plan)
    else setUnfoldedBeside(besides)
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
  if ((isNarrow || isComparing) && besides !== null && unfoldedBeside !== besides)
    return (
      <Column gap={1}>
        <FoldedForm
          title="Parameters"
          note={worth === null ? undefined : worthWords(worth, size.quote)}
          isWarned={worth !== null && worth.ratio > 1}
          onUnfold={() => setUnfoldedBeside(besides)}
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
          onClick={() => {
            setWasTried(false)
            onReset()
          }}
          style={{ marginRight: -8 }}
        >
          Reset
        </Button>
      }
    >
      <Column gap={1.5}>
        <div>
          <Text size="label" tone="text2" style={{ display: 'block', marginBottom: 6 }}>
            Test Mode
          </Text>
          <ToggleGroup
            label="Test Mode"
            value={parameters.mode}
            onChange={(mode) => {
              change({ mode })
              setWasTried(false)
            }}
            choices={MODES}
            fullWidth
          />
        </div>
        {parameters.mode === 'bot' ? (
          <BotChoice
            bots={control.botList.data}
            bot={control.bot}
            market={control.marketList.data?.find((market) => market.id === control.symbol)}
            error={errors.bot}
            onChange={(botId) => change({ botId })}
            emptyReason={none}
          />
        ) : (
          <ModelChoice
            parameters={parameters}
            change={change}
            models={models}
            symbols={control.symbols}
            errors={errors}
            emptyReason={none}
            timeframe={control.timeframe}
          />
        )}
        <RangeFields
          parameters={parameters}
          change={change}
          range={control.range}
          nowMs={control.nowMs}
          hint={control.hint}
          onFollowMarket={control.followMarket}
          errors={errors}
        />
        <UnseenSwitch control={control} />
        <CostFields parameters={parameters} change={change} errors={errors} />
        {runButton}
        {status}
      </Column>
    </Card>
  )
}
