import { Box, Link, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router'
import { colors } from '../../shared/theme/tokens.ts'
import { typeScale } from '../../shared/theme/typography.ts'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import { Mark } from '../../shared/ui/logo.tsx'
import { ShapeScene } from '../../shared/ui/shape-scene.tsx'

export function LandingPage() {
  return (
    <Box
      component="main"
      sx={{
        position: 'relative',
        flex: 1,
        minHeight: 560,
        overflow: 'hidden',
        px: { xs: 3, md: 8 },
        pt: { xs: 4, md: 6 },
      }}
    >
      <title>Shapecast</title>
      <ShapeScene />
      <Box sx={{ position: 'relative' }}>
        <Mark sizePx={26} />
        <Typography
          variant="display"
          sx={(theme) => ({
            mt: { xs: 9, md: 12 },
            [theme.breakpoints.down('md')]: typeScale.displayNarrow,
          })}
        >
          Shapecast
        </Typography>
        <Typography
          sx={{ mt: 2, mb: 4, fontSize: '1.25rem', lineHeight: '28px', letterSpacing: '-0.01em', color: colors.text2 }}
        >
          Platform for creating and testing predictions
        </Typography>
        <LinkButton to="/login" variant="contained" size="large">
          Login
        </LinkButton>
        <Typography sx={{ mt: 2.5, color: colors.text2 }}>
          New here?{' '}
          <Link component={RouterLink} to="/register" sx={{ fontWeight: 500 }}>
            Create an account
          </Link>
        </Typography>
      </Box>
    </Box>
  )
}
