import { Global } from '@emotion/react'
import styled from '@emotion/styled'
import { useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { globalStyles } from '#kit/theme/global-styles.ts'
import { showScheme } from '#kit/theme/scheme.ts'
import { colors, motion, radius } from '#kit/theme/tokens.ts'
import { FONT_FAMILY, typeScale } from '#kit/theme/typography.ts'
import { Mark } from '#kit/ui/logo.tsx'
import { paths } from '#routes/paths.ts'
import { ShapeScene } from './shape-scene.tsx'

/** The first page that somebody sees. Always dark, and styled from the tokens alone, so that it need not wait for the theme. */
export function LandingPage() {
  useLayoutEffect(() => {
    showScheme('dark')
    return () => showScheme()
  }, [])
  return (
    <Main>
      <Global styles={globalStyles} />
      <title>Shapecast</title>
      <ShapeScene />
      <Words>
        <Mark sizePx={26} />
        <Title>Shapecast</Title>
        <Lead>Platform for creating and testing predictions</Lead>
        <LoginLink to={paths.login}>Login</LoginLink>
        <Hint>
          New here? <SignUpLink to={paths.register}>Create an account</SignUpLink>
        </Hint>
      </Words>
    </Main>
  )
}

const WIDE = '@media (min-width: 900px)'

const Main = styled.main({
  ...typeScale.body,
  position: 'relative',
  flex: 1,
  minHeight: 560,
  boxSizing: 'border-box',
  overflow: 'hidden',
  padding: '32px 24px 0',
  color: colors.text,
  fontFamily: FONT_FAMILY,
  [WIDE]: { padding: '48px 64px 0' },
})

const Words = styled.div({ position: 'relative' })

const Title = styled.h1({
  ...typeScale.displayNarrow,
  margin: '72px 0 0',
  [WIDE]: { ...typeScale.display, marginTop: 96 },
})

const Lead = styled.p({
  margin: '16px 0 32px',
  fontSize: '1.25rem',
  lineHeight: '28px',
  letterSpacing: '-0.01em',
  color: colors.text2,
})

/** As the theme's large primary button. */
const LoginLink = styled(Link)({
  display: 'inline-flex',
  alignItems: 'center',
  boxSizing: 'border-box',
  height: 44,
  padding: '0 28px',
  borderRadius: radius.button,
  fontSize: '0.9375rem',
  fontWeight: 600,
  textDecoration: 'none',
  backgroundColor: colors.accent,
  color: colors.onAccent,
  transition: `background-color ${motion.hover}ms ${motion.easing}`,
  '&:hover': { backgroundColor: colors.accentHi },
})

const Hint = styled.p({ margin: '20px 0 0', color: colors.text2 })

const SignUpLink = styled(Link)({ fontWeight: 500, color: colors.accent })
