import { Box } from '@mui/material'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { HomeSearchContext } from '../../shared/data-center/home-search.ts'
import { type View, viewOf } from '../../shared/data-center/view.ts'
import { pageColumn } from '../../shared/ui/page-layout.ts'
import { SkeletonBox, SkeletonGroup } from '../../shared/ui/skeleton.tsx'
import { VIEW_CODE } from './load-view.ts'

const HomePage = lazy(VIEW_CODE.home)
const ModelPage = lazy(VIEW_CODE.model)
const ComparePage = lazy(VIEW_CODE.compare)
const RecordPage = lazy(VIEW_CODE.record)

/** While the code of a page below is on its way. */
const ComingPage = () => (
  <SkeletonGroup label="Loading the page">
    <Box sx={pageColumn}>
      <SkeletonBox height={48} />
      <SkeletonBox height={320} />
    </Box>
  </SkeletonGroup>
)

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
      <Suspense fallback={<ComingPage />}>
        <ShownPage view={view} />
      </Suspense>
    </HomeSearchContext>
  )
}
