import type { ComponentPropsWithRef, CSSProperties, ElementType } from 'react'
import { directionOf, type Figure } from '../format/number.ts'
import { formatChangePct } from '../format/percent.ts'
import { colors } from '../theme/tokens.ts'
import layout from './layout.module.css'
import words from './text.module.css'

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
    words.plain,
    words[size],
    tone !== 'inherit' && words[tone],
    breaks && words.breaks,
    noWrap && words.noWrap,
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

/** A link among words. Colour alone does not tell it from them: it is underlined. */
export function Link<Tag extends ElementType = 'a'>({
  as,
  className,
  ...rest
}: { as?: Tag } & Omit<ComponentPropsWithRef<Tag>, 'as'>) {
  const Element: ElementType = as ?? 'a'
  return <Element {...rest} className={[words.link, className].filter(Boolean).join(' ')} />
}

/** A unit, small, after its figure. */
export const Unit = ({ children }: { children: string }) => (
  <Text as="span" size="label" tone="text3">
    {children}
  </Text>
)

/** The tone of a gain or a loss; that of what is around it where it is neither. */
export const toneOf = (value: number | null | undefined): 'up' | 'down' | 'inherit' => {
  const direction = directionOf(value)
  return direction === 'flat' ? 'inherit' : direction
}

/** The colour of a gain, a loss, or neither. Always beside a sign, an arrow or a word. */
export const directionColor = (direction: 'up' | 'down' | 'flat'): string =>
  direction === 'up' ? colors.up : direction === 'down' ? colors.down : colors.text

/** A gain or a loss in its colour, as `write` has it. `strong` where it leads its row. */
export const Gain = ({
  of,
  write = formatChangePct,
  strong = false,
}: {
  of: Figure
  write?: (of: Figure) => string
  strong?: boolean
}) => <span style={{ color: directionColor(directionOf(of)), ...(strong && { fontWeight: 500 }) }}>{write(of)}</span>

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
export const Column = <Tag extends ElementType = 'div'>(props: Props<Tag>) => laidOut(props, [layout.column])

interface RowLook {
  wrap?: boolean
  /** The first part at the left, the last at the right. */
  between?: boolean
}

/** Parts beside each other, in line by their middles unless `align` says otherwise. */
export const Row = <Tag extends ElementType = 'div'>({ wrap, between, ...props }: Props<Tag, RowLook>) =>
  laidOut(props as unknown as Spread, [layout.row, wrap && layout.wrap, between && layout.between])

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
  return laidOut(props as unknown as Spread, [layout.columns], Object.fromEntries(named))
}
