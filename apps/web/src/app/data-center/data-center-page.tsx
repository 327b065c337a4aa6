import { ModelVersion } from '@shapecast/contracts/ml'
import { useState } from 'react'
import { Navigate, Route, Routes, useLocation, useParams, useSearchParams } from 'react-router'
import layout from '#kit/ui/layout.module.css'
import { componentOf } from '#kit/ui/lazily.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { HomeSearchContext } from '#routes/home-search.ts'
import { comparedIn, movedTo, paths } from '#routes/paths.ts'
import { PAGE_CODE } from './load-page.ts'

const HomePage = componentOf(PAGE_CODE.home)
const ModelPage = componentOf(PAGE_CODE.models)
const ComparePage = componentOf(PAGE_CODE.compare)
const RecordPage = componentOf(PAGE_CODE.record)

/** While the code of a page below is on its way. */
const coming = (
  <SkeletonGroup label="Loading the page">
    <div className={layout.pageColumn}>
      <SkeletonBox height={48} />
      <SkeletonBox height={320} />
    </div>
  </SkeletonGroup>
)

const isVersion = (text: string | null | undefined): text is string => ModelVersion.safeParse(text).success

/** The Data Center itself, and what old addresses lead to. */
function Home() {
  const [search] = useSearchParams()
  const moved = movedTo(search)
  return moved === null ? <HomePage waiting={coming} /> : <Navigate to={moved} replace />
}

function Model() {
  const { version } = useParams()
  const [search] = useSearchParams()
  // What no model can be called leads back.
  if (!isVersion(version)) return <Navigate to={paths.dataCenter} replace />
  return <ModelPage key={version} version={version} artifactId={search.get('artifact')} waiting={coming} />
}

function Compare() {
  const [search] = useSearchParams()
  return <ComparePage versions={comparedIn(search).filter(isVersion)} waiting={coming} />
}

function Record() {
  const [search] = useSearchParams()
  const version = search.get('version')
  return <RecordPage version={isVersion(version) ? version : null} waiting={coming} />
}

/** The Data Center and the pages below it. */
export function DataCenterPage() {
  const { pathname, search } = useLocation()
  const [homeSearch, setHomeSearch] = useState('')
  // What an old address asked for is kept nowhere: it would lead away again.
  const isHome = pathname === paths.dataCenter && movedTo(new URLSearchParams(search)) === null
  if (isHome && homeSearch !== search) setHomeSearch(search)
  return (
    <HomeSearchContext value={homeSearch}>
      <Routes>
        <Route index element={<Home />} />
        <Route caseSensitive path="models/:version" element={<Model />} />
        <Route caseSensitive path="compare" element={<Compare />} />
        <Route caseSensitive path="record" element={<Record />} />
        <Route path="*" element={<Navigate to={paths.dashboard} replace />} />
      </Routes>
    </HomeSearchContext>
  )
}
