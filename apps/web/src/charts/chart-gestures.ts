import { commandOfKey } from './chart-keys.ts'
import type { ChartView } from './chart-view.ts'
import { ZOOM_STEP } from './visible-range.ts'
import { wheelSteps } from './wheel-steps.ts'

/**
 * Wheel zooms, dragging pans, two fingers zoom, a double click resets, keys do the same while the chart has the
 * focus. Returns what takes the listeners off again.
 */
export function attachChartGestures(element: HTMLElement, view: ChartView): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const pointers = new Map<number, { x: number; y: number }>()
  const xInside = (clientX: number) => clientX - element.getBoundingClientRect().left
  const fingers = () => {
    const [a, b] = [...pointers.values()]
    return a === undefined || b === undefined ? null : { gap: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2 }
  }

  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) view.pan(view.candlesOfPx(event.deltaX))
      else view.zoomAtPx(xInside(event.clientX), wheelSteps(event.deltaY, event.deltaMode))
    },
    { signal, passive: false },
  )
  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button === 0) pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    },
    { signal },
  )
  window.addEventListener(
    'pointermove',
    (event) => {
      const last = pointers.get(event.pointerId)
      if (last === undefined) return
      const before = fingers()
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      const after = fingers()
      if (before !== null && after !== null) {
        if (before.gap > 0 && after.gap > 0)
          view.zoomAtPx(xInside(after.x), Math.log(after.gap / before.gap) / Math.log(ZOOM_STEP))
      } else view.pan(-view.candlesOfPx(event.clientX - last.x))
    },
    { signal },
  )
  for (const end of ['pointerup', 'pointercancel'] as const)
    window.addEventListener(end, (event) => pointers.delete(event.pointerId), { signal })
  element.addEventListener('dblclick', () => view.reset(), { signal })
  element.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const command = commandOfKey(event.key, event.shiftKey)
      if (command === null) return
      event.preventDefault()
      switch (command.kind) {
        case 'pan':
          return view.pan(command.spans * view.spanCandles)
        case 'zoom':
          return view.zoomAtMiddle(command.steps)
        case 'reset':
          return view.reset()
        default:
          return command satisfies never
      }
    },
    { signal },
  )
  return () => listening.abort()
}
