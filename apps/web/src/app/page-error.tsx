import { useRouteError } from 'react-router'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import css from './page-error.module.css'

/** Browsers say in words of their own that the code of a page did not come. */
const isCodeMissing = (message: string): boolean =>
  /dynamically imported module|importing a module script/i.test(message)

/** In the place of a page that has thrown: says so, and offers a way on. Another address tries again. */
export function PageError() {
  const error = useRouteError()
  const message = error instanceof Error ? error.message : String(error)
  const isMissing = isCodeMissing(message)
  return (
    <div className={css.place}>
      <Banner
        kind="error"
        title={isMissing ? 'The server does not answer' : 'This page could not be shown'}
        action={
          <Button size="small" onClick={() => window.location.reload()}>
            Load it again
          </Button>
        }
      >
        {isMissing ? 'The page could not be loaded. Your session and your data are kept.' : message}
      </Banner>
    </div>
  )
}
