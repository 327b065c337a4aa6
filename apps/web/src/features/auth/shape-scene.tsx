import { useEffect, useRef } from 'react'
import { paintShape } from './shape-painter.ts'

const DRAWING_MS = 2_400
/** In the units of the curve: about 6 px a second on a wide screen. */
const DRIFT_A_SECOND = 0.004

/** The drift is slow: more frames would only cost. */
const DRIFT_FRAME_MS = 40

const eased = (share: number) => 1 - (1 - share) ** 3

/**
 * The line that the product is about, behind its container's content: drawn once in 2.4 s, drifting after that. With
 * reduced motion it stands still, all drawn. It says nothing, so a screen reader is not told of it.
 */
export function ShapeScene() {
  const canvasRef = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    const canvas = canvasRef.current
    const context = canvas?.getContext('2d')
    if (canvas === null || context === null || context === undefined) return
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)')
    const startedAt = performance.now()
    let request = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    const paint = (elapsedMs: number) => {
      const { clientWidth, clientHeight } = canvas
      const density = Math.min(2, window.devicePixelRatio || 1)
      const [width, height] = [Math.round(clientWidth * density), Math.round(clientHeight * density)]
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
      context.setTransform(density, 0, 0, density, 0, 0)
      paintShape(context, {
        widthPx: clientWidth,
        heightPx: clientHeight,
        drawn: eased(Math.min(1, elapsedMs / DRAWING_MS)),
        drift: (Math.max(0, elapsedMs - DRAWING_MS) / 1000) * DRIFT_A_SECOND,
      })
    }
    const run = () => {
      stop()
      if (calm.matches) return paint(DRAWING_MS)
      const elapsedMs = performance.now() - startedAt
      paint(elapsedMs)
      const next = () => {
        request = requestAnimationFrame(run)
      }
      if (elapsedMs < DRAWING_MS) next()
      else timer = setTimeout(next, DRIFT_FRAME_MS)
    }
    const stop = () => {
      cancelAnimationFrame(request)
      clearTimeout(timer)
    }

    run()
    const resized = new ResizeObserver(() => calm.matches && run())
    resized.observe(canvas)
    calm.addEventListener('change', run)
    return () => {
      stop()
      resized.disconnect()
      calm.removeEventListener('change', run)
    }
  }, [])

  return (
    <canvas
      ref={canvasRef}
      aria-hidden
      style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', pointerEvents: 'none' }}
    />
  )
}
