import type { ComponentPropsWithRef, CSSProperties, ElementType } from 'react'
import css from './layout.module.css'
import { STEP_PX } from './text.tsx'

interface Spread {
  /** Between the parts, in steps of 8 px. */
  gap: number
  /** Between the lines of parts, where that is not `gap`. */
  lineGap?: number | undefined
  /** Space above, in the same steps. */
  above?: number | undefined
  align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch' | undefined
  className?: string | false | undefined
  style?: CSSProperties | undefined
}

type Props<Tag extends ElementType, Own = unknown> = Own &
  Spread & { as?: Tag } & Omit<ComponentPropsWithRef<Tag>, keyof Own | keyof Spread | 'as'>

function laidOut(
  { as: Element = 'div', gap, lineGap = gap, above, align, className, style, ...rest }: Spread & { as?: ElementType },
  classes: readonly (string | false | undefined)[],
  tracks?: CSSProperties,
) {
  const spaced = {
    gap: `${lineGap * STEP_PX}px ${gap * STEP_PX}px`,
    ...(above !== undefined && { marginTop: above * STEP_PX }),
    ...(align && { alignItems: align }),
    ...tracks,
    ...style,
  }
  return <Element {...rest} className={[...classes, className].filter(Boolean).join(' ')} style={spaced} />
}

/** Parts below each other, each as wide as the column. */
export const Column = <Tag extends ElementType = 'div'>(props: Props<Tag>) => laidOut(props, [css.column])

interface RowLook {
  wrap?: boolean
  /** The first part at the left, the last at the right. */
  between?: boolean
}

/** Parts beside each other, in line by their middles unless `align` says otherwise. */
export const Row = <Tag extends ElementType = 'div'>({ wrap, between, ...props }: Props<Tag, RowLook>) =>
  laidOut(props as unknown as Spread, [css.row, wrap && css.wrap, between && css.between])

type Tracks = number | string
const WIDTHS = ['xs', 'sm', 'md', 'lg', 'xl'] as const

/** Parts in a grid: from each named width on so many equal columns, or these tracks; below the first, one column. */
export function Columns<Tag extends ElementType = 'div'>({
  at,
  ...props
}: Props<Tag, { at: Partial<Record<(typeof WIDTHS)[number], Tracks>> }>) {
  let tracks: Tracks = 1
  const named = WIDTHS.map((width) => {
    tracks = at[width] ?? tracks
    return [`--${width}`, typeof tracks === 'number' ? `repeat(${tracks}, minmax(0, 1fr))` : tracks]
  })
  return laidOut(props as unknown as Spread, [css.columns], Object.fromEntries(named))
}
