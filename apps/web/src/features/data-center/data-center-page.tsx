import { useSearchParams } from 'react-router'
import { HomePage } from './home-page.tsx'
import { ModelPage } from './model-page/model-page.tsx'
import { viewOf } from './view.ts'

/** The Data Center and the pages below it; which one stands in the address. */
export function DataCenterPage() {
  const [search] = useSearchParams()
  const view = viewOf(search)
  switch (view.kind) {
    case 'home':
      return <HomePage />
    case 'model':
      return <ModelPage key={view.version} version={view.version} artifactId={view.artifactId} />
    default:
      return <HomePage />
  }
}
