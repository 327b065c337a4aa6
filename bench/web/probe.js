// Runs in the page before its own scripts, and notes what bench/web.ts asks it for.
const probe = { figuresAt: null, routes: [], interactions: new Map(), renders: null, shifts: 0 }
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

/** What was pressed, or the key. */
const nameOf = ({ name, target }) =>
  `${name} ${target?.closest?.('[aria-label]')?.ariaLabel ?? target?.textContent?.slice(0, 30) ?? ''}`

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { interactionId, duration } = entry
    if (interactionId > 0 && duration > (probe.interactions.get(interactionId)?.ms ?? 0))
      probe.interactions.set(interactionId, { ms: duration, name: nameOf(entry) })
  }
}).observe({ type: 'event', durationThreshold: 16, buffered: true })

new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) probe.shifts += value
}).observe({ type: 'layout-shift', buffered: true })

/** The card, or the part of the frame, in which a component stands. */
function regionOf(fiber) {
  let host = fiber
  while (host !== null && host.tag !== HOST) host = host.return
  const region = host?.stateNode.closest('section, header')
  const label = region?.ariaLabel ?? document.getElementById(region?.getAttribute('aria-labelledby'))?.textContent
  return label ?? region?.tagName.toLowerCase() ?? 'page'
}

const HOST = 5
/** React's tags of functions, classes, forwarded references and memos. */
const COMPONENTS = new Set([0, 1, 11, 14, 15])
const PERFORMED_WORK = 1

/** Counts the components below `fiber` that the last commit has drawn, by the card in which they stand. */
function countRenders(fiber) {
  for (let child = fiber.child; child !== null; child = child.sibling) {
    const before = child.alternate
    if (COMPONENTS.has(child.tag) && (before === null || child.flags & PERFORMED_WORK)) {
      const region = regionOf(child)
      probe.renders[region] = (probe.renders[region] ?? 0) + 1
    }
    if (child.child !== before?.child) countRenders(child)
  }
}

// React tells a developer's tools of every commit, also in a production build.
globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
  renderers: new Map(),
  supportsFiber: true,
  inject: () => 1,
  onCommitFiberRoot: (_, root) => {
    if (probe.renders !== null) countRenders(root.current)
  },
  onCommitFiberUnmount() {},
  onPostCommitFiberRoot() {},
}

// From a press on an entry of the navigation to the paint of the page behind it.
addEventListener(
  'click',
  ({ target, timeStamp }) => {
    if (target.closest?.('nav a') == null) return
    const before = heading()
    const look = () => {
      if (heading() === before || heading() === undefined || isWaiting()) return requestAnimationFrame(look)
      requestAnimationFrame(() =>
        setTimeout(() => probe.routes.push({ ms: performance.now() - timeStamp, name: target.textContent })),
      )
    }
    look()
  },
  { capture: true },
)
