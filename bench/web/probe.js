// Runs in the page before its own scripts, and notes what bench/web.ts asks it for.
const probe = { figuresAt: null, routes: [], interactions: new Map() }
globalThis.probe = probe

/** The heading of the page that is seen. */
const heading = () =>
  [...document.querySelectorAll('main h1')].find((one) => one.checkVisibility() && one.textContent !== '')?.textContent
const isWaiting = () =>
  [...document.querySelectorAll('main [role=status][aria-label^=Loading]')].some((one) => one.checkVisibility())

/** The dashboard's figures: the model's signal, and nothing of the first row that is still on its way. */
const hasFigures = () => document.querySelector('[aria-label="Confidence"]') !== null
new MutationObserver((_, observer) => {
  if (!hasFigures()) return
  probe.figuresAt = performance.timeOrigin + performance.now()
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })

new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId > 0)
      probe.interactions.set(interactionId, Math.max(duration, probe.interactions.get(interactionId) ?? 0))
}).observe({ type: 'event', durationThreshold: 16, buffered: true })

// From a press on an entry of the navigation to the paint of the page behind it.
addEventListener(
  'click',
  ({ target, timeStamp }) => {
    if (target.closest?.('nav a') == null) return
    const before = heading()
    const look = () => {
      if (heading() === before || heading() === undefined || isWaiting()) return requestAnimationFrame(look)
      requestAnimationFrame(() => setTimeout(() => probe.routes.push(performance.now() - timeStamp)))
    }
    look()
  },
  { capture: true },
)
