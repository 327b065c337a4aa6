import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/** After an older page could not be loaded, so long passes before panning asks again. */
const RETRY_MS = 5000

/** Loads older rows with `load`, a page at a time: `ask` does nothing while one is under way or has just failed. */
export function useOlderPage(load: () => Promise<void>) {
  const failedAtMs = useRef(0)
  const { isPending, mutate, error } = useMutation({
    mutationFn: load,
    onError: () => {
      failedAtMs.current = Date.now()
    },
  })
  const ask = useCallback(() => {
    if (!isPending && Date.now() - failedAtMs.current > RETRY_MS) mutate()
  }, [isPending, mutate])
  return { ask, isPending, error }
}
