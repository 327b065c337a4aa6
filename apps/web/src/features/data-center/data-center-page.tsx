import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ComparePage } from './compare-page/compare-page.tsx'
import { HomePage } from './home-page.tsx'
import { HomeSearchContext } from './home-search.ts'
import { ModelPage } from './model-page/model-page.tsx'
import { RecordPage } from './record-page/record-page.tsx'
import { type View, viewOf } from './view.ts'

function ShownPage({ view }: { view: View }) {
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

/** The Data Center and the pages below it; which one stands in the address. */
export function DataCenterPage() {
  const [search] = useSearchParams()
  const view = viewOf(search)
  const text = search.toString()
  const [homeSearch, setHomeSearch] = useState('')
  if (view.kind === 'home' && homeSearch !== text) setHomeSearch(text)
  return (
    <HomeSearchContext value={homeSearch}>
      <ShownPage view={view} />
    </HomeSearchContext>
  )
}
