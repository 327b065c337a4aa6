import { Link } from '@mui/material'
import { Banner } from '#kit/ui/banner.tsx'
import { useIsManager } from '#wire/session/auth-context.ts'

/** What to do first where the market is made of imported candles and there are none yet. */
export function NoCandlesNote({ onImport }: { onImport: () => void }) {
  const isManager = useIsManager()
  return (
    <Banner kind="info" title="This market has no candles yet">
      {isManager ? (
        <>
          First{' '}
          <Link component="button" type="button" variant="small" onClick={onImport}>
            import a file of candles
          </Link>
          ; then preview it and train a model on it.
        </>
      ) : (
        'An admin or a manager imports them here; then models can be trained on them.'
      )}
    </Banner>
  )
}
