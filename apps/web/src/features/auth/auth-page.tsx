import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { Link as RouterLink, useLocation, useNavigate } from 'react-router'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Mark } from '#kit/ui/logo.tsx'
import { Column, Link, Text } from '#kit/ui/primitives.tsx'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import css from './auth-page.module.css'
import { ShapeScene } from './shape-scene.tsx'

interface AuthPageProps<Fields extends FieldValues, Entered> {
  title: string
  lead: string
  /** The question and the link to the other form. */
  other: { question: string; label: string; to: string }
  form: UseFormReturn<Fields, unknown, Entered>
  /** Signs in or up, or sets a password. */
  enter: (entered: Entered) => Promise<unknown>
  /** Where to go on, for somebody who is not signed in by it. */
  next?: { path: string; notice: string }
  /** Said where that fails for a reason without words of its own. */
  failedWords: string
  label: string
  busyLabel: string
  /** The fields. */
  children: ReactNode
}

/** Sign In, Sign Up and what belongs to them: the form at the left, the shape at the right where there is room. */
export function AuthPage<Fields extends FieldValues, Entered>({
  title,
  lead,
  other,
  form,
  enter,
  next,
  failedWords,
  label,
  busyLabel,
  children,
}: AuthPageProps<Fields, Entered>) {
  const notice: unknown = useLocation().state?.notice
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>(null)
  const { isSubmitting } = form.formState
  const submit = form.handleSubmit(async (entered) => {
    setFailure(null)
    try {
      await enter(entered)
      if (next !== undefined) await navigate(next.path, { replace: true, state: { notice: next.notice } })
    } catch (error) {
      console.warn(failedWords, error)
      setFailure(error)
    }
  })
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
          <Column as="form" gap={2} noValidate onSubmit={submit}>
            <FailureBanner error={failure} text={failedWords} onDismiss={() => setFailure(null)} />
            {children}
            <Button type="submit" variant="contained" fullWidth style={{ marginTop: 8 }} {...busyButton(isSubmitting)}>
              {isSubmitting ? busyLabel : label}
            </Button>
          </Column>
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
