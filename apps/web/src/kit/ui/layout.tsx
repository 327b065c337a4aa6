import type { ComponentPropsWithRef, CSSProperties, ElementType } from 'react'
import css from './layout.module.css'
import { STEP_PX } from './text.tsx'

interface Spread {
  /** Between the parts, in steps of 8 px. */
  gap: number
  /** Space above, in the same steps. */
  above?: number | undefined
  style?: CSSProperties | undefined
}

type Props<Tag extends ElementType, Own> = Own &
  Spread & { as?: Tag } & Omit<ComponentPropsWithRef<Tag>, keyof Own | keyof Spread | 'as'>

const joined = (...classes: (string | false | undefined)[]) => classes.filter(Boolean).join(' ')
const spaced = ({ gap, above, style }: Spread, own?: CSSProperties): CSSProperties => ({
  gap: gap * STEP_PX,
  ...(above !== undefined && { marginTop: above * STEP_PX }),
  ...own,
  ...style,
})

/** Parts below each other, each as wide as the column. */
export function Column<Tag extends ElementType = 'div'>({
  as,
  gap,
  above,
  className,
  style,
  ...rest
}: Props<Tag, unknown>) {
  const Element: ElementType = as ?? 'div'
  return <Element {...rest} className={joined(css.column, className)} style={spaced({ gap, above, style })} />
}

/** Parts beside each other, in line by their middles unless `align` says otherwise. */
export function Row<Tag extends ElementType = 'div'>({
  as,
  gap,
  lineGap,
  above,
  align,
  wrap = false,
  between = false,
  className,
  style,
  ...rest
}: Props<
  Tag,
  {
    /** Between the lines of a row that wraps, where that is not `gap`. */
    lineGap?: number | undefined
    align?: 'start' | 'end' | 'baseline' | 'stretch'
    wrap?: boolean
    /** The first part at the left, the last at the right. */
    between?: boolean
  }
>) {
  const Element: ElementType = as ?? 'div'
  return (
    <Element
      {...rest}
      className={joined(css.row, wrap && css.wrap, between && css.between, className)}
      style={spaced(
        { gap, above, style },
        {
          ...(lineGap !== undefined && { gap: `${lineGap * STEP_PX}px ${gap * STEP_PX}px` }),
          ...(align !== undefined && { alignItems: align }),
        },
      )}
    />
  )
}
