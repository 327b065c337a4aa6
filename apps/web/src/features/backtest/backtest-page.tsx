import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTimeZone } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { RetryButton } from '#kit/ui/button.tsx'
import { Column } from '#kit/ui/primitives.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import css from './backtest-page.module.css'
import { BacktestStart } from './backtest-start.tsx'
import { ParametersSkeleton, ResultsSkeleton } from './run/skeletons.tsx'
import { BacktestContext, useBacktest, useBacktestPage } from './run/use-backtest.ts'
import { reasonOf } from './run/use-backtest-job.ts'
import { SavedRunsCard } from './runs/saved/saved-runs-card.tsx'

const loadParameters = () => import('./run/parameters-panel.tsx')
const ParametersPanel = lazy(async () => ({ default: (await loadParameters()).ParametersPanel }))
const OpenedRun = lazy(async () => ({ default: (await import('./runs/open/opened-run.tsx')).OpenedRun }))
const ComparePanel = lazy(async () => ({ default: (await import('./runs/compare/compare-panel.tsx')).ComparePanel }))

/** Backtest of a bot or of a model alone: parameters and saved runs at the left, the open run at the right. */
export function BacktestPage() {
  // Its clocks.
  useTimeZone()
  useEffect(() => void loadParameters().catch(() => undefined), [])
  const page = useBacktestPage()
  const { runId, compared, choices, form } = page

  // On a phone, and beside runs that are compared, the form is folded until it is unfolded there.
  const isNarrow = useIsNarrow()
  const beside = compared === null ? runId : 'other runs'
  const [unfoldedBeside, setUnfoldedBeside] = useState<string | null>(null)
  const isFolded = beside !== null && (isNarrow || compared !== null) && unfoldedBeside !== beside
  const unfold = () => setUnfoldedBeside(beside)
  const formWaiting = <ParametersSkeleton isFolded={isFolded} />

  return (
    <BacktestContext value={page}>
      <div className={compared === null ? css.page : `${css.page} ${css.comparing}`}>
        <div className={css.parameters}>
          {choices.isKnown ? (
            <Suspense fallback={formWaiting}>
              <ParametersPanel
                folded={isFolded ? { withRun: compared === null, unfold } : null}
                onRun={() => {
                  if (Object.keys(form.wrong).length > 0) unfold()
                  page.run()
                }}
              />
            </Suspense>
          ) : (
            formWaiting
          )}
        </div>
        <div className={css.result}>
          <BacktestMessages />
          <Suspense fallback={<ResultsSkeleton />}>
            {compared !== null ? (
              <ComparePanel runIds={compared} onClear={() => page.compare(null)} />
            ) : runId === null ? (
              <BacktestStart />
            ) : (
              <OpenedRun />
            )}
          </Suspense>
        </div>
        <div className={css.saved}>
          <SavedRunsCard />
        </div>
      </div>
    </BacktestContext>
  )
}

const BOTS_FAILED = 'Failed to load bots list'

/** What failed in red, to be dismissed; what did not stop the test in amber. */
function BacktestMessages() {
  const {
    form: { errors, submitCount },
    choices: { botList },
    job,
  } = useBacktest()
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
