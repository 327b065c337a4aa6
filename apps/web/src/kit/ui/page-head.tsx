import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link as RouterLink, useOutletContext } from 'react-router'
import { paths } from '#routes/paths.ts'
import css from './page-head.module.css'
import { Link, Text } from './primitives.tsx'

/** The head of a page below the Data Center: the way back, its name, quiet facts, actions. */
export function PageHead({ title, facts, actions }: { title: string; facts?: ReactNode; actions?: ReactNode }) {
  const homeSearch = useOutletContext<string>()
  return (
    <div>
      <Link as={RouterLink} to={paths.dataCenter + homeSearch} className={css.back}>
        <ArrowLeft size={14} aria-hidden />
        Data Center
      </Link>
      <div className={css.head}>
        <Text size="h1">{title}</Text>
        {facts}
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </div>
    </div>
  )
}
