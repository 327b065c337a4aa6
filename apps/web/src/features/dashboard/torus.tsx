import { Box } from '@mui/material'
import { useEffect, useRef } from 'react'
import { colors, tint } from '../../shared/theme/tokens.ts'
import { usePageVisible } from '../../shared/ui/page-visibility.ts'
import { watchIdle } from './idle.ts'
import { TORUS_REACH, TORUS_RISE, torusLines } from './torus-shape.ts'

const TURN_MS = 60_000
const IDLE_MS = 15_000
/** It turns slowly: more frames would only cost. */
const FRAME_MS = 50
const HEIGHT_PX = 120

function paint(canvas: HTMLCanvasElement, turn: number): void {
  const context = canvas.getContext('2d')
  const { clientWidth: width, clientHeight: height } = canvas
  if (context === null || width === 0) return
  const density = Math.min(2, window.devicePixelRatio || 1)
  canvas.width = Math.round(width * density)
  canvas.height = Math.round(height * density)
  const scale = Math.min(width / TORUS_REACH, (height - 2) / TORUS_RISE) / 2
  context.setTransform(density, 0, 0, density, 0, 0)
  context.lineWidth = 0.75
  for (const { spots, depth } of torusLines(turn)) {
    context.strokeStyle = tint(colors.accent, 0.16 + 0.4 * depth)
    context.beginPath()
    for (const { x, y } of spots) context.lineTo(width / 2 + x * scale, height / 2 + y * scale)
    context.stroke()
  }
}

/**
 * A wire torus that turns once a minute while nobody does anything: it stops on activity and goes on after 15 s. Under
 * reduced motion, and while the page is hidden, it stands still.
 */
export function Torus() {
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const isVisible = usePageVisible()
  const turned = useRef(0)

  useEffect(() => {
    const canvas = canvasRef.current
    if (canvas === null || !isVisible) return
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)')
    let timer: ReturnType<typeof setInterval> | undefined
    let isIdle = true
    const stop = () => {
      clearInterval(timer)
      timer = undefined
    }
    const step = () => {
      turned.current += (FRAME_MS / TURN_MS) * 2 * Math.PI
      paint(canvas, turned.current)
    }
    const go = () => {
      stop()
      if (isIdle && !calm.matches) timer = setInterval(step, FRAME_MS)
    }
    const setIdle = (next: boolean) => {
      isIdle = next
      go()
    }
    const redraw = () => paint(canvas, turned.current)
    const resized = new ResizeObserver(redraw)
    resized.observe(canvas)
    calm.addEventListener('change', go)
    const unwatch = watchIdle(
      window,
      IDLE_MS,
      () => setIdle(false),
      () => setIdle(true),
    )
    redraw()
    go()
    return () => {
      stop()
      unwatch()
      resized.disconnect()
      calm.removeEventListener('change', go)
    }
  }, [isVisible])

  return (
    <Box
      component="canvas"
      ref={canvasRef}
      aria-hidden
      sx={{ display: 'block', width: '100%', height: HEIGHT_PX, pointerEvents: 'none' }}
    />
  )
}
