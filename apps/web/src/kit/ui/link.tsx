import type { ComponentPropsWithRef, ElementType } from 'react'
import css from './link.module.css'

/** A link among words. Colour alone does not tell it from them: it is underlined. */
export function Link<Tag extends ElementType = 'a'>({
  as,
  className,
  ...rest
}: { as?: Tag } & Omit<ComponentPropsWithRef<Tag>, 'as'>) {
  const Element: ElementType = as ?? 'a'
  return <Element {...rest} className={[css.link, className].filter(Boolean).join(' ')} />
}
