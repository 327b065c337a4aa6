import { type BacktestRun, backtestRun } from '@shapecast/contracts/backtest'
import { MOST_COMPARED_RUNS } from '@shapecast/contracts/run-comparison'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useTimeZone } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, RetryButton } from '#kit/ui/button.tsx'
import { Column } from '#kit/ui/primitives.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { paths } from '#routes/paths.ts'
import { READ_LATER, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager } from '#wire/session/auth-context.ts'
import css from './backtest-page.module.css'
import { BacktestStart } from './backtest-start.tsx'
import { type Settled, settle } from './run/backtest-request.ts'
import { nextRun, type Parameters } from './run/parameters.ts'
import { useSizeWorth } from './run/size-note.tsx'
import { ParametersSkeleton, ResultsSkeleton } from './run/skeletons.tsx'
import { type BacktestJobControl, reasonOf, useBacktestJob } from './run/use-backtest-job.ts'
import { type PartProps, useChoices, useParameters, useParametersOfRun } from './run/use-parameters.ts'
import { SavedRunsCard } from './runs/saved/saved-runs-card.tsx'

/** Runs in one press what tells more than the opened run does, and leaves it in the fields. */
function NextRunButton({
  run,
  test: { parameters, unseen },
  isBusy,
  onRun,
}: {
  run: BacktestRun
  test: Settled
  isBusy: boolean
  onRun: (change: Partial<Parameters>) => void
}) {
  const size = useSizeWorth(parameters)
  const mayRun = useIsManager()
  const next = nextRun(run, unseen !== null, parameters.mode === 'model' ? size.found : null)
  if (next === null || !mayRun) return null
  return (
    <Button size="small" disabled={isBusy} onClick={() => onRun(next.change)}>
      {next.words}
    </Button>
  )
}

const loadParameters = () => import('./run/parameters-panel.tsx')
const ParametersPanel = lazy(async () => ({ default: (await loadParameters()).ParametersPanel }))
const OpenedRun = lazy(async () => ({ default: (await import('./runs/open/opened-run.tsx')).OpenedRun }))
const ComparePanel = lazy(async () => ({ default: (await import('./runs/compare/compare-panel.tsx')).ComparePanel }))

/** Backtest of a bot or of a model alone: parameters and saved runs at the left, the open run at the right. */
export function BacktestPage() {
  // Its clocks.
  useTimeZone()
  useEffect(() => void loadParameters().catch(() => undefined), [])
  const { runId, compared, open, compare, close } = useOpenedRun()
  // A saved run never changes: once loaded it stays.
  const kept = { ...READ_LATER, staleTime: Number.POSITIVE_INFINITY, enabled: runId !== null }
  const run = useEndpointQuery(backtestRun, { params: { id: runId ?? '' } }, kept)
  const choices = useChoices()
  const form = useParameters(choices)
  const job = useBacktestJob(open)
  useParametersOfRun(form, runId === null ? null : run.data, job.job?.runId)
  const test = settle(form.values, choices)
  const start = form.submit((request) => {
    form.change({ state: 'sent' })
    job.start({ request, symbol: test.symbol! })
  })

  // On a phone, and beside runs that are compared, the form is folded until it is unfolded there.
  const isNarrow = useIsNarrow()
  const beside = compared === null ? runId : 'other runs'
  const [unfoldedBeside, setUnfoldedBeside] = useState<string | null>(null)
  const isFolded = beside !== null && (isNarrow || compared !== null) && unfoldedBeside !== beside
  const unfold = () => setUnfoldedBeside(beside)
  const formWaiting = <ParametersSkeleton isFolded={isFolded} />

  return (
    <div className={compared === null ? css.page : `${css.page} ${css.comparing}`}>
      <div className={css.parameters}>
        {choices.isKnown ? (
          <Suspense fallback={formWaiting}>
            <ParametersPanel
              form={form}
              test={test}
              choices={choices}
              job={job}
              opened={run.data}
              folded={isFolded ? { withRun: compared === null, unfold } : null}
              onRun={() => {
                if (Object.keys(form.wrong).length > 0) unfold()
                void start()
              }}
              onReset={() => {
                form.reset()
                close()
              }}
            />
          </Suspense>
        ) : (
          formWaiting
        )}
      </div>
      <div className={css.result}>
        <BacktestMessages form={form} choices={choices} job={job} />
        <Suspense fallback={<ResultsSkeleton />}>
          {compared !== null ? (
            <ComparePanel runIds={compared} onClear={() => compare(null)} />
          ) : runId === null ? (
            <BacktestStart choices={choices} />
          ) : (
            <OpenedRun
              run={run}
              onClose={close}
              nextStep={
                run.data !== undefined && (
                  <NextRunButton
                    run={run.data}
                    test={test}
                    isBusy={job.isStarting || job.isRunning}
                    onRun={(change) => {
                      form.change(change)
                      void start()
                    }}
                  />
                )
              }
            />
          )}
        </Suspense>
      </div>
      <div className={css.saved}>
        <SavedRunsCard
          openRunId={runId}
          compared={compared}
          onOpen={open}
          onCompare={compare}
          onDeleted={(deleted) => {
            if (deleted === runId) close()
            if (compared?.includes(deleted)) compare(compared.filter((id) => id !== deleted))
          }}
        />
      </div>
    </div>
  )
}

/** The run that is open on the page. The address holds it, so that it can be shared. */
function useOpenedRun() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const ticked = search.get('compare')
  const ids = ticked === null ? null : [...new Set(ticked.split(','))].filter((id) => id !== '')
  return {
    runId: search.get('run'),
    /** Runs that are ticked to be compared; null where none are being chosen. */
    compared: ids === null ? null : ids.slice(0, MOST_COMPARED_RUNS),
    open: (runId: string) => void navigate(paths.run(runId)),
    compare: (runIds: readonly string[] | null) =>
      void navigate(runIds === null ? paths.backtest : paths.compareRuns(runIds), { replace: true }),
    close: () => void navigate(paths.backtest, { replace: true }),
  }
}

const BOTS_FAILED = 'Failed to load bots list'

/** What failed in red, to be dismissed; what did not stop the test in amber. */
function BacktestMessages({
  form: { errors, submitCount },
  choices: { botList },
  job,
}: Pick<PartProps, 'form' | 'choices'> & { job: BacktestJobControl }) {
  const top = useRef<HTMLDivElement>(null)
  const [dismissed, setDismissed] = useState<{ error: Error | null; atSubmit: number }>({ error: null, atSubmit: -1 })
  const dismiss = (part: Partial<typeof dismissed>) => setDismissed({ ...dismissed, ...part })
  const botsError = botList.data === undefined && botList.error !== dismissed.error ? botList.error : null
  const refusal = dismissed.atSubmit === submitCount ? null : (errors.botId ?? errors.version ?? null)
  const newest = refusal ?? job.failure?.title ?? (botsError === null ? null : BOTS_FAILED)
  useEffect(() => {
    if (newest !== null) top.current?.scrollIntoView({ block: 'nearest' })
  }, [newest])
  if (newest === null && job.warning === null) return null
  return (
    <Column gap={1.5} ref={top} style={{ scrollMarginBlock: '72px 16px' }}>
      {botsError !== null && (
        <Banner
          kind="error"
          title={BOTS_FAILED}
          onDismiss={() => dismiss({ error: botsError })}
          action={<RetryButton reply={botList} />}
        >
          {reasonOf(botsError)}
        </Banner>
      )}
      {refusal !== null && <Banner kind="error" title={refusal} onDismiss={() => dismiss({ atSubmit: submitCount })} />}
      {job.failure !== null && (
        <Banner kind="error" title={job.failure.title} onDismiss={job.dismissFailure}>
          {job.failure.detail}
        </Banner>
      )}
      {job.warning !== null && (
        <Banner kind="warning" title={job.warning.title} onDismiss={job.dismissWarning}>
          {job.warning.detail} The backtest goes on without them.
        </Banner>
      )}
    </Column>
  )
}
