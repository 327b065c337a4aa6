import { models } from '@shapecast/contracts/ml'
import { type TrainingJob, trainingJobs } from '@shapecast/contracts/trainings'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { isUnderWay } from './training-words.ts'

const POLL_MS = 1500
/** Epochs of small models come faster than a page needs to hear of them. */
const LEAST_BETWEEN_MS = 500

/** The caller's trainings: followed live while one is under way; an ended one brings the model list up to date. */
export function useTrainingJobs() {
  const queryClient = useQueryClient()
  const isSignedIn = useUser() !== null
  const jobs = useEndpointQuery(
    trainingJobs,
    {},
    {
      enabled: isSignedIn,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_MS : REFRESH_MS),
    },
  )

  useEffect(() => {
    if (!isSignedIn) return
    let due: ReturnType<typeof setTimeout> | undefined
    const stop = liveEvents.listen({ kind: 'jobs' }, (message) => {
      const isOurs = message.event === 'reset' || (message.event === 'job' && message.data.kind === 'training')
      if (!isOurs || due !== undefined) return
      due = setTimeout(() => {
        due = undefined
        void queryClient.invalidateQueries({ queryKey: endpointKey(trainingJobs) })
      }, LEAST_BETWEEN_MS)
    })
    return () => {
      clearTimeout(due)
      stop()
    }
  }, [queryClient, isSignedIn])

  const ended = jobs.data?.filter((job: TrainingJob) => job.status === 'completed').length
  const lastEnded = useRef(ended)
  useEffect(() => {
    if (lastEnded.current !== undefined && lastEnded.current !== ended)
      void queryClient.invalidateQueries({ queryKey: endpointKey(models) })
    lastEnded.current = ended
  }, [queryClient, ended])
  return jobs
}
