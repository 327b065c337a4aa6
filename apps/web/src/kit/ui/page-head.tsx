import { Link } from '@mui/material'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link as RouterLink, useOutletContext } from 'react-router'
import { paths } from '#routes/paths.ts'
import { colors } from '../theme/tokens.ts'
import { typeScale } from '../theme/typography.ts'
import css from './page-head.module.css'
import { Text } from './text.tsx'

/** The head of a page below the Data Center: the way back, its name, quiet facts, actions. */
export function PageHead({ title, facts, actions }: { title: string; facts?: ReactNode; actions?: ReactNode }) {
  const homeSearch = useOutletContext<string>()
  return (
    <div>
      <Link component={RouterLink} to={paths.dataCenter + homeSearch} sx={backStyle}>
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

const backStyle = {
  ...typeScale.label,
  display: 'inline-flex',
  alignItems: 'center',
  gap: 1,
  minHeight: { xs: 44, md: 30 },
  mb: 0.5,
  color: colors.text2,
} as const
