import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endFirstLoad, useFirstLoadOver } from '#wire/calls/first-load.ts'
import { whenIdle } from '#wire/calls/when-idle.ts'

/** Where an answer takes longer than this, what has waited waits no more. */
const AT_LATEST_MS = 3000

/** Stands beside a page: ends the first load when the calls that the page began with are answered and it is drawn. */
export function FirstLoadWatch() {
  const queryClient = useQueryClient()
  const isOver = useFirstLoadOver()
  useEffect(() => {
    if (isOver) return
    let takeBack = () => {}
    let unsubscribe = () => {}
    const end = () => {
      unsubscribe()
      clearTimeout(timer)
      takeBack()
      takeBack = whenIdle(endFirstLoad)
    }
    const look = () => {
      if (queryClient.isFetching() === 0) end()
    }
    const timer = setTimeout(end, AT_LATEST_MS)
    unsubscribe = queryClient.getQueryCache().subscribe(look)
    return () => {
      unsubscribe()
      clearTimeout(timer)
      takeBack()
    }
  }, [queryClient, isOver])
  return null
}
