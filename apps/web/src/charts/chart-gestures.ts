import type { ChartView } from './chart-view.ts'
import { ZOOM_STEP } from './visible-range.ts'

export type ChartCommand =
  | { readonly kind: 'pan'; readonly spans: number }
  | { readonly kind: 'pan_price'; readonly px: number }
  | { readonly kind: 'zoom'; readonly steps: number }
  | { readonly kind: 'reset' }

/** What a key does while the chart has the focus; null where the key is not the chart's. */
export function commandOfKey(key: string, shift: boolean): ChartCommand | null {
  switch (key) {
    case 'ArrowLeft':
      return { kind: 'pan', spans: shift ? -0.5 : -0.1 }
    case 'ArrowRight':
      return { kind: 'pan', spans: shift ? 0.5 : 0.1 }
    case 'ArrowUp':
      return { kind: 'pan_price', px: shift ? 60 : 12 }
    case 'ArrowDown':
      return { kind: 'pan_price', px: shift ? -60 : -12 }
    case '+':
    case '=':
      return { kind: 'zoom', steps: 2 }
    case '-':
    case '−':
    case '_':
      return { kind: 'zoom', steps: -2 }
    case '0':
      return { kind: 'reset' }
    default:
      return null
  }
}

/** Pixels of one notch of a wheel, and of one line where a browser counts lines. */
const NOTCH_PX = 100
const LINE_PX = 33

/** Zoom steps of a wheel event: a notch towards the screen is one step in. At most 4 at once. */
export function wheelSteps(deltaY: number, deltaMode: number): number {
  const px = deltaMode === 0 ? deltaY : deltaY * LINE_PX
  return Math.min(4, Math.max(-4, -px / NOTCH_PX))
}

/** A drag moves the prices only from here on: a hand that pans in time is never quite level. */
const PRICE_DRAG_PX = 14

/** What hands and keys change of a view. */
type Gestured = Pick<
  ChartView,
  'spanCandles' | 'candlesOfPx' | 'zoomAtPx' | 'zoomAtMiddle' | 'pan' | 'panPrice' | 'reset'
>

interface Press {
  readonly x: number
  readonly y: number
  readonly startY: number
  readonly movesPrice: boolean
}

/**
 * Wheel zooms, dragging pans (in price too, where the view can), two fingers zoom, a double click resets, keys do the
 * same while the chart has the focus. Returns what takes the listeners off again.
 */
export function attachChartGestures(element: HTMLElement, view: Gestured): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const pointers = new Map<number, Press>()
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
      const { clientX: x, clientY: y } = event
      if (event.button === 0) pointers.set(event.pointerId, { x, y, startY: y, movesPrice: false })
    },
    { signal },
  )
  window.addEventListener(
    'pointermove',
    (event) => {
      const last = pointers.get(event.pointerId)
      if (last === undefined) return
      const before = fingers()
      const { clientX: x, clientY: y } = event
      const movesPrice = last.movesPrice || Math.abs(y - last.startY) > PRICE_DRAG_PX
      pointers.set(event.pointerId, { x, y, startY: last.startY, movesPrice })
      const after = fingers()
      if (before !== null && after !== null) {
        if (before.gap > 0 && after.gap > 0)
          view.zoomAtPx(xInside(after.x), Math.log(after.gap / before.gap) / Math.log(ZOOM_STEP))
      } else {
        view.pan(-view.candlesOfPx(x - last.x))
        if (last.movesPrice) view.panPrice?.(y - last.y)
      }
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
      if (command === null || (command.kind === 'pan_price' && view.panPrice === undefined)) return
      event.preventDefault()
      switch (command.kind) {
        case 'pan':
          return view.pan(command.spans * view.spanCandles)
        case 'pan_price':
          return view.panPrice?.(command.px)
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
