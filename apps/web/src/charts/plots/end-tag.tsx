import type { ReactNode } from 'react'
import { colors } from '#kit/theme/tokens.ts'

/** Room for tags at the right of a plot, px. */
export const TAGS_PX = 62
const LINE_PX = 13

/** The heights of two tags, moved apart where they would meet. */
export function tagsApart(a: number, b: number): [number, number] {
  const lack = Math.max(0, LINE_PX - Math.abs(a - b)) / 2
  return a <= b ? [a - lack, b + lack] : [a + lack, b - lack]
}

/** What a curve has come to, after its end. */
export const EndTag = ({
  x,
  y,
  fill = colors.text2,
  children,
}: {
  x: number
  y: number
  fill?: string
  children: ReactNode
}) => (
  <text x={x + 6} y={y + 4} fill={fill} fontSize={11}>
    {children}
  </text>
)
