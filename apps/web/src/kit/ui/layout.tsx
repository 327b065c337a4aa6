import type { ComponentPropsWithRef, CSSProperties, ElementType } from 'react'
import css from './layout.module.css'

/** One step of space, px. */
const STEP_PX = 8

interface Spread {
  /** Between the parts, in steps of 8 px. */
  gap: number
  style?: CSSProperties
}

type Props<Tag extends ElementType, Own> = Own &
  Spread & { as?: Tag } & Omit<ComponentPropsWithRef<Tag>, keyof Own | keyof Spread | 'as'>

const joined = (...classes: (string | false | undefined)[]) => classes.filter(Boolean).join(' ')

/** Parts below each other, each as wide as the column. */
export function Column<Tag extends ElementType = 'div'>({ as, gap, className, style, ...rest }: Props<Tag, unknown>) {
  const Element: ElementType = as ?? 'div'
  return <Element {...rest} className={joined(css.column, className)} style={{ gap: gap * STEP_PX, ...style }} />
}

/** Parts beside each other, in line by their middles. */
export function Row<Tag extends ElementType = 'div'>({
  as,
  gap,
  wrap = false,
  between = false,
  className,
  style,
  ...rest
}: Props<
  Tag,
  {
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
      style={{ gap: gap * STEP_PX, ...style }}
    />
  )
}
