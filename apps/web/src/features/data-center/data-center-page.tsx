import { useSearchParams } from 'react-router'
import { ComparePage } from './compare-page/compare-page.tsx'
import { HomePage } from './home-page.tsx'
import { ModelPage } from './model-page/model-page.tsx'
import { RecordPage } from './record-page/record-page.tsx'
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
    case 'compare':
      return <ComparePage versions={view.versions} />
    case 'record':
      return <RecordPage version={view.version} />
    default:
      return view satisfies never
  }
}
