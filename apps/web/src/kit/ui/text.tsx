import type { ComponentPropsWithRef, CSSProperties, ElementType } from 'react'
import { colors } from '../theme/tokens.ts'
import css from './text.module.css'

/** One step of space, px. */
export const STEP_PX = 8

/** The element that a size is, where none is named. */
const ELEMENTS = {
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  body: 'p',
  small: 'p',
  label: 'span',
  numberL: 'span',
  numberM: 'span',
  numberS: 'span',
} as const

type Tone = 'inherit' | Extract<keyof typeof colors, 'text' | 'text2' | 'text3' | 'accent' | 'up' | 'down' | 'warn'>

interface Look {
  /** A row of the type scale. */
  size?: keyof typeof ELEMENTS
  tone?: Tone | undefined
  weight?: 400 | 500 | 600 | undefined
  /** Breaks within a word, where it would reach out of its box. */
  breaks?: boolean
  /** One line, cut with an ellipsis. */
  noWrap?: boolean
  /** Space above, in steps of 8 px. */
  above?: number | undefined
  style?: CSSProperties | undefined
}

export type TextProps<Tag extends ElementType> = Look & { as?: Tag } & Omit<
    ComponentPropsWithRef<Tag>,
    keyof Look | 'as'
  >

/** Words in a row of the type scale, without margins. */
export function Text<Tag extends ElementType = 'p'>({
  as,
  size = 'body',
  tone = 'inherit',
  weight,
  breaks = false,
  noWrap = false,
  above,
  className,
  style,
  ...rest
}: TextProps<Tag>) {
  const Element: ElementType = as ?? ELEMENTS[size]
  const classes = [
    css.plain,
    css[size],
    tone !== 'inherit' && css[tone],
    breaks && css.breaks,
    noWrap && css.noWrap,
    className,
  ]
  const own = {
    ...(weight && { fontWeight: weight }),
    ...(above !== undefined && { marginTop: above * STEP_PX }),
    ...style,
  }
  return <Element {...rest} className={classes.filter(Boolean).join(' ')} style={own} />
}

/** A quiet line beside or below what it is about: the size of a label, not its weight. */
export function Note<Tag extends ElementType = 'div'>({ as, tone = 'text3', ...rest }: TextProps<Tag>) {
  const Element: ElementType = as ?? 'div'
  return <Text {...rest} as={Element} size="label" weight={400} tone={tone} />
}

/** The colour of a gain, a loss, or neither. Always beside a sign, an arrow or a word. */
export const directionColor = (direction: 'up' | 'down' | 'flat'): string =>
  direction === 'up' ? colors.up : direction === 'down' ? colors.down : colors.text
