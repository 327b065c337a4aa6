import { backtestJob, createBacktestJob } from '@shapecast/contracts/backtest'
import { ApiError, type CallInput } from '@shapecast/contracts/client'
import { previewRule, type RulePreview } from '@shapecast/contracts/rules'
import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { Card, SkeletonGroup } from '#kit/ui/card.tsx'
import { Text } from '#kit/ui/primitives.tsx'
import { useSettled } from '#kit/ui/use-settled.ts'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { pollWhileOpen } from '../lab-parts.tsx'
import { previewObstacle, type RuleEditor, testOf } from './rule-form.ts'

/** After the last key, ms. */
const WAIT_MS = 300
/** As the service says. */
const RETRY_MS = 2000
const MOST_RETRIES = 10

/** What a rule would have done, asked for once nobody types any more. */
export function usePreview({ form, rule, read, wrong }: RuleEditor) {
  const body = JSON.stringify(testOf(form, rule))
  const settled = useSettled(body, WAIT_MS)
  const isSignedIn = useUser() !== null
  const obstacle = !isSignedIn
    ? 'Sign in to see what a rule would have done.'
    : Object.keys(wrong).length > 0
      ? 'The preview waits for the fields that must be changed.'
      : previewObstacle(read)
  const reply = useEndpointQuery(
    previewRule,
    { body: JSON.parse(settled) },
    {
      enabled: obstacle === null && settled === body,
      staleTime: 5 * 60_000,
      // Another tab's, or those of what was typed before, are under way.
      retry: (times, error) => error instanceof ApiError && error.code === 'too_many_requests' && times < MOST_RETRIES,
      retryDelay: RETRY_MS,
      placeholderData: (before) => before,
    },
  )
  const failure =
    reply.isError && settled === body ? errorInFull(reply.error, 'What this rule did could not be worked out.') : null
  return {
    data: reply.data,
    /** Of what stood before. */
    isOld: obstacle !== null || settled !== body || reply.isPlaceholderData || reply.isFetching,
    /** Why there is none. */
    obstacle: obstacle ?? failure,
  }
}

/** The preview, its boxes while it is on its way, or why there is none. */
export function PreviewState({
  preview: { data, isOld, obstacle },
  children,
}: {
  preview: ReturnType<typeof usePreview>
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
        : obstacle === null && <SkeletonGroup label="Working out what the rule would have done" height={168} />}
    </>
  )
}

const FAILED = 'The backtest could not be run.'

/** Backtests a rule and opens the run once it is there. */
export function useRuleBacktest() {
  const navigate = useNavigate()
  const start = useEndpointMutation(createBacktestJob)
  const { reset } = start
  const job = useEndpointQuery(
    backtestJob,
    { params: { id: start.data?.jobId ?? '' } },
    { enabled: start.isSuccess, refetchInterval: pollWhileOpen },
  )
  const runId = job.data?.runId ?? null
  useEffect(() => {
    if (runId === null) return
    reset()
    void navigate(paths.run(runId))
  }, [runId, navigate, reset])
  const status = job.data?.status
  const failed = start.error ?? job.error
  const ended =
    status === 'failed' ? (job.data?.error ?? FAILED) : status === 'cancelled' ? 'The backtest was cancelled.' : null
  return {
    run: (body: CallInput<typeof createBacktestJob>['body']) => start.mutate({ body }),
    isBusy: start.isPending || (start.isSuccess && ended === null && !job.isError),
    failure: failed !== null ? errorInFull(failed, FAILED) : ended,
  }
}
