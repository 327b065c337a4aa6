import type { Spot } from '#charts/primitives/markers.ts'

const AROUND = 36
const ACROSS = 16
const TUBE = 0.42
/** How far the torus leans towards the eye, radians. */
const LEAN = 1.2

/** How far the torus reaches from its middle, in radii of its ring. */
export const TORUS_REACH = 1 + TUBE
/** The same upwards and downwards, where the leaning takes some of it. */
export const TORUS_RISE = Math.cos(LEAN) + TUBE

export interface TorusLine {
  readonly spots: readonly Spot[]
  /** 0 at the back, 1 at the front. */
  readonly depth: number
}

/** Where a point of the torus lies on the screen, in radii of its ring: x to the right, y down, z towards the eye. */
function point(u: number, v: number, turn: number): { x: number; y: number; z: number } {
  const ring = 1 + TUBE * Math.cos(v)
  const [px, py, pz] = [ring * Math.cos(u + turn), ring * Math.sin(u + turn), TUBE * Math.sin(v)]
  return { x: px, y: py * Math.cos(LEAN) - pz * Math.sin(LEAN), z: py * Math.sin(LEAN) + pz * Math.cos(LEAN) }
}

function line(at: (share: number) => { x: number; y: number; z: number }, parts: number): TorusLine {
  const points = Array.from({ length: parts + 1 }, (_, i) => at(i / parts))
  const z = points.reduce((sum, one) => sum + one.z, 0) / points.length
  return { spots: points, depth: (z / TORUS_REACH + 1) / 2 }
}

const FULL_TURN = 2 * Math.PI

/** The wires of a torus turned by `turn` radians: rings around the tube, then rings along it. */
export function torusLines(turn: number): TorusLine[] {
  const rings = Array.from({ length: AROUND }, (_, i) =>
    line((share) => point((i / AROUND) * FULL_TURN, share * FULL_TURN, turn), 24),
  )
  const lengths = Array.from({ length: ACROSS }, (_, i) =>
    line((share) => point(share * FULL_TURN, (i / ACROSS) * FULL_TURN, turn), 64),
  )
  return [...rings, ...lengths]
}
