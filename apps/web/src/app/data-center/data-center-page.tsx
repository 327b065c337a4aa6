import { Box } from '@mui/material'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { componentOf } from '#kit/ui/lazily.tsx'
import { pageColumn } from '#kit/ui/page-layout.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { HomeSearchContext } from '#routes/home-search.ts'
import { type View, viewOf } from '#routes/view.ts'
import { VIEW_CODE } from './load-view.ts'

const HomePage = componentOf(VIEW_CODE.home)
const ModelPage = componentOf(VIEW_CODE.model)
const ComparePage = componentOf(VIEW_CODE.compare)
const RecordPage = componentOf(VIEW_CODE.record)

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
      return <HomePage waiting={<ComingPage />} />
    case 'model':
      return (
        <ModelPage key={view.version} version={view.version} artifactId={view.artifactId} waiting={<ComingPage />} />
      )
    case 'compare':
      return <ComparePage versions={view.versions} waiting={<ComingPage />} />
    case 'record':
      return <RecordPage version={view.version} waiting={<ComingPage />} />
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
