import type { ReactNode } from 'react'
import { Link as RouterLink, useLocation } from 'react-router'
import { Banner } from '#kit/ui/banner.tsx'
import { Mark } from '#kit/ui/logo.tsx'
import { Link, Text } from '#kit/ui/primitives.tsx'
import css from './auth-page.module.css'
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
    <div className={css.page}>
      <title>{`${title} · Shapecast`}</title>
      <main className={css.main}>
        <Link as={RouterLink} to="/" className={css.home}>
          <Mark />
          <Text as="span" tone="text" weight={600} style={{ fontSize: '1rem' }}>
            Shapecast
          </Text>
        </Link>
        <div className={css.form}>
          <Text as="h1" size="numberL">
            {title}
          </Text>
          <Text tone="text2" above={0.5} style={{ marginBottom: 24 }}>
            {lead}
          </Text>
          {typeof notice === 'string' && (
            <div style={{ marginBottom: 16 }}>
              <Banner kind="info" title={notice} />
            </div>
          )}
          {children}
          <Text tone="text2" above={3}>
            {other.question}{' '}
            <Link as={RouterLink} to={other.to} style={{ fontWeight: 500 }}>
              {other.label}
            </Link>
          </Text>
        </div>
      </main>
      <div className={css.scene}>
        <ShapeScene />
      </div>
    </div>
  )
}
