// Shows what is pushed, and opens the page that it is about. It answers no request and keeps nothing.
self.addEventListener('push', (event) => {
  const { id, title, text, link } = event.data.json()
  event.waitUntil(
    self.registration.showNotification(title, { body: text, tag: id, icon: '/favicon.svg', data: { link } }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data.link ?? '/dashboard', self.location.origin)
  if (url.origin === self.location.origin) event.waitUntil(self.clients.openWindow(url.href))
})
