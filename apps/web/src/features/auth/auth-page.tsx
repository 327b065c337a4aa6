import { Box, Link, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { Link as RouterLink, useLocation } from 'react-router'
import { colors } from '#kit/theme/tokens.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Mark } from '#kit/ui/logo.tsx'
import { ShapeScene } from './shape-scene.tsx'

export interface AuthPageProps {
  title: string
  lead: string
  children: ReactNode
  /** The question and the link to the other form. */
  other: { question: string; label: string; to: string }
}

/** The frame of Sign In and Sign Up: form at the left, the shape at the right where there is room. */
export function AuthPage({ title, lead, children, other }: AuthPageProps) {
  const notice: unknown = useLocation().state?.notice
  return (
    <Box sx={{ flex: 1, display: 'grid', gridTemplateColumns: { xs: '1fr', md: 'minmax(440px, 520px) 1fr' } }}>
      <title>{`${title} · Shapecast`}</title>
      <Box
        component="main"
        sx={{
          display: 'flex',
          flexDirection: 'column',
          px: { xs: 3, md: 8 },
          py: { xs: 3, md: 6 },
          borderRight: { md: `1px solid ${colors.hairline}` },
          backgroundColor: { md: colors.surface },
        }}
      >
        <Link
          component={RouterLink}
          to="/"
          underline="none"
          sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.25, alignSelf: 'flex-start', minHeight: 44 }}
        >
          <Mark />
          <Typography component="span" sx={{ fontSize: '1rem', fontWeight: 600, color: colors.text }}>
            Shapecast
          </Typography>
        </Link>
        <Box sx={{ my: 'auto', py: { xs: 4, md: 6 }, width: '100%', maxWidth: { xs: 420, md: 'none' } }}>
          <Typography variant="numberL" component="h1">
            {title}
          </Typography>
          <Typography sx={{ mt: 0.5, mb: 3, color: colors.text2 }}>{lead}</Typography>
          {typeof notice === 'string' && (
            <Box sx={{ mb: 2 }}>
              <Banner kind="info" title={notice} />
            </Box>
          )}
          {children}
          <Typography sx={{ mt: 3, color: colors.text2 }}>
            {other.question}{' '}
            <Link component={RouterLink} to={other.to} sx={{ fontWeight: 500 }}>
              {other.label}
            </Link>
          </Typography>
        </Box>
      </Box>
      <Box sx={{ display: { xs: 'none', md: 'block' }, position: 'relative', overflow: 'hidden' }}>
        <ShapeScene />
      </Box>
    </Box>
  )
}
