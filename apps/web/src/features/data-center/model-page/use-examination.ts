import { examination, requestExamination } from '@shapecast/contracts/examinations'
import { modelDetail, models } from '@shapecast/contracts/ml'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { endpointKey, useEndpointMutation, useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { usePageVisible } from '../../../shared/ui/page-visibility.ts'
import { isUnderWay } from './examination-words.ts'

const POLL_MS = 2_000

/** What was found out about an artifact, followed while it waits or runs, and asking for it again. */
export function useExamination(artifactId: string) {
  const queryClient = useQueryClient()
  const isVisible = usePageVisible()
  const input = { params: { id: artifactId } }
  const reply = useEndpointQuery(examination, input, {
    staleTime: 0,
    // A new artifact has none yet; its worker asks for one within seconds.
    refetchInterval: ({ state }) => isVisible && (state.data === null || isUnderWay(state.data)) && POLL_MS,
  })
  const request = useEndpointMutation(requestExamination, {
    onSuccess: (queued) => queryClient.setQueryData(endpointKey(examination, input), queued),
    onError: () => queryClient.invalidateQueries({ queryKey: endpointKey(examination, input) }),
  })

  // What an ended audit found stands in the lists of models too.
  const examinedAt = reply.data?.examinedAt
  const last = useRef(examinedAt)
  useEffect(() => {
    if (last.current !== undefined && last.current !== examinedAt)
      for (const endpoint of [models, modelDetail])
        void queryClient.invalidateQueries({ queryKey: endpointKey(endpoint) })
    last.current = examinedAt
  }, [queryClient, examinedAt])

  return { reply, request: { ...request, run: () => request.mutate(input) } }
}
export type ExaminationControl = ReturnType<typeof useExamination>
