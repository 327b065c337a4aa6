import { useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { showScheme } from '#kit/theme/scheme.ts'
import { Mark } from '#kit/ui/logo.tsx'
import { paths } from '#routes/paths.ts'
import css from './landing-page.module.css'
import { ShapeScene } from './shape-scene.tsx'

/** The first page that somebody sees. Always dark, and styled from the tokens alone, so that it need not wait for the theme. */
export function LandingPage() {
  useLayoutEffect(() => {
    showScheme('dark')
    return () => showScheme()
  }, [])
  return (
    <main className={css.main}>
      <title>Shapecast</title>
      <ShapeScene />
      <div className={css.words}>
        <Mark sizePx={26} />
        <h1 className={css.title}>Shapecast</h1>
        <p className={css.lead}>Platform for creating and testing predictions</p>
        <Link to={paths.login} className={css.login}>
          Login
        </Link>
        <p className={css.hint}>
          New here? <Link to={paths.register}>Create an account</Link>
        </p>
      </div>
    </main>
  )
}
