import { useEffect, useRef } from 'react'
import { painted, useScheme } from '#kit/theme/scheme.ts'
import { colors, tint } from '#kit/theme/tokens.ts'
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
    context.strokeStyle = painted(tint(colors.accent, 0.16 + 0.4 * depth))
    context.beginPath()
    for (const { x, y } of spots) context.lineTo(width / 2 + x * scale, height / 2 + y * scale)
    context.stroke()
  }
}

/**
 * A wire torus that turns once a minute while nobody has done anything for 15 s. Under reduced motion, and where it is not
 * seen, it stands still: what moves keeps a machine awake.
 */
export function Torus() {
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const scheme = useScheme()
  const turned = useRef(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: its colour is of the scheme
  useEffect(() => {
    const canvas = canvasRef.current
    if (canvas === null) return
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)')
    let timer: ReturnType<typeof setInterval> | undefined
    let isIdle = false
    let isInView = false
    const stop = () => {
      clearInterval(timer)
      timer = undefined
    }
    const step = () => {
      if (document.hidden) return
      turned.current += (FRAME_MS / TURN_MS) * 2 * Math.PI
      paint(canvas, turned.current)
    }
    const go = () => {
      stop()
      if (isIdle && isInView && !calm.matches) timer = setInterval(step, FRAME_MS)
    }
    const setIdle = (next: boolean) => {
      isIdle = next
      go()
    }
    const redraw = () => {
      if (isInView) paint(canvas, turned.current)
    }
    const resized = new ResizeObserver(redraw)
    resized.observe(canvas)
    const seen = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)?.isIntersecting === true
      redraw()
      go()
    })
    seen.observe(canvas)
    calm.addEventListener('change', go)
    const unwatch = watchIdle(
      window,
      IDLE_MS,
      () => setIdle(false),
      () => setIdle(true),
    )
    return () => {
      stop()
      unwatch()
      resized.disconnect()
      seen.disconnect()
      calm.removeEventListener('change', go)
    }
  }, [scheme])

  return (
    <canvas
      ref={canvasRef}
      aria-hidden
      style={{ display: 'block', width: '100%', height: HEIGHT_PX, pointerEvents: 'none' }}
    />
  )
}

const ACTIVITY = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'touchstart', 'scroll'] as const

/**
 * Calls `onIdle` once nobody has done anything for `afterMs`, which begins with the call, and `onBusy` when somebody does
 * something after that. Returns what ends the watching.
 */
export function watchIdle(target: Window, afterMs: number, onBusy: () => void, onIdle: () => void): () => void {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      onIdle()
    }, afterMs)
  }
  const onActivity = () => {
    if (timer === undefined) onBusy()
    wait()
  }
  wait()
  for (const name of ACTIVITY)
    target.addEventListener(name, onActivity, { passive: true, capture: true, signal: listening.signal })
  return () => {
    listening.abort()
    clearTimeout(timer)
  }
}
