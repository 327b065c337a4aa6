import { Box, Typography } from '@mui/material'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import { HomeSearchContext } from './home-search.ts'
import { HOME, linkTo } from './view.ts'

/** The head of a page below the Data Center: the way back, its name, quiet facts, actions. */
export function PageHead({ title, facts, actions }: { title: string; facts?: ReactNode; actions?: ReactNode }) {
  const homeSearch = useContext(HomeSearchContext)
  const home = homeSearch === '' ? linkTo(HOME) : `${linkTo(HOME)}?${homeSearch}`
  return (
    <Box>
      <Box sx={{ ml: -1.25, mb: 0.5 }}>
        <LinkButton to={home} variant="text" size="small" startIcon={<ArrowLeft />}>
          Data Center
        </LinkButton>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', columnGap: 1.5, rowGap: 1 }}>
        <Typography variant="h1">{title}</Typography>
        {facts}
        {actions !== undefined && (
          <Box sx={{ ml: { sm: 'auto' }, display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
            {actions}
          </Box>
        )}
      </Box>
    </Box>
  )
}
