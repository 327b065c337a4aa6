import { addBrowser, removeBrowser } from '@shapecast/contracts/notifications'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { browserName } from '#entities/users/browser-name.ts'
import { call } from '#wire/calls/client.ts'

/** Why this browser can be sent nothing; null where it can. */
export function pushObstacle(): string | null {
  if (!window.isSecureContext)
    return 'Browsers take notifications, and install this app, over HTTPS only. This page came without it.'
  if (!('serviceWorker' in navigator) || !('PushManager' in window))
    return 'This browser takes no notifications. On iOS, add Shapecast to the home screen first.'
  if (Notification.permission === 'denied')
    return 'Notifications of this page are blocked in this browser. Allow them in its settings.'
  return null
}

const current = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()) ?? null

/** Registers the service worker, asks the person, and subscribes. Throws in words where that does not work. */
async function subscribe(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Notifications of this page were not allowed.')
  await navigator.serviceWorker.register('/push-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = made.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  const name = browserName(navigator.userAgent)
  await call(addBrowser, { body: { endpoint: endpoint!, keys: { p256dh, auth }, name } })
}

async function unsubscribe(): Promise<void> {
  const made = await current()
  if (made === null) return
  await call(removeBrowser, { body: { endpoint: made.endpoint } })
  await made.unsubscribe()
}

/** Whether this browser is told things, and how to change that; `changed` follows a change. */
export function useBrowserPush(publicKey: string, changed: () => void) {
  const [isHere, setHere] = useState(false)
  const obstacle = pushObstacle()
  const look = useCallback(async () => {
    if (obstacle === null) setHere((await current()) !== null)
  }, [obstacle])
  useEffect(() => void look(), [look])
  const { mutate, isPending, error } = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
    onSettled: async () => {
      await look()
      changed()
    },
  })
  return {
    isHere,
    isBusy: isPending,
    error,
    obstacle,
    switchOn: () => mutate(() => subscribe(publicKey)),
    switchOff: () => mutate(unsubscribe),
  }
}
