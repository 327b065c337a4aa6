import type { ComponentType } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { type Code, useCode } from '#kit/ui/lazily.tsx'
import { paths } from '#routes/paths.ts'
import { FirstLoadWatch } from './first-load-watch.tsx'
import { KeptPage } from './kept-page.tsx'
import { backtestCode, botCode, botsCode, dashboardCode, dataCenterCode, settingsCode } from './page-code.ts'
import { PageSkeleton } from './page-skeleton.tsx'

function Page({ code }: { code: Code<ComponentType> }) {
  const Loaded = useCode(code)
  if (Loaded === null) return <PageSkeleton />
  return (
    <>
      <Loaded />
      <FirstLoadWatch />
    </>
  )
}
const dashboard = <Page code={dashboardCode} />
const bots = <Page code={botsCode} />
const bot = <Page code={botCode} />
const dataCenter = <Page code={dataCenterCode} />
const backtest = <Page code={backtestCode} />
const settings = <Page code={settingsCode} />

/** Dashboard and Backtest stay mounted after a first visit; the others come and go. */
export function InnerPages() {
  return (
    <>
      <KeptPage path={paths.dashboard}>{dashboard}</KeptPage>
      <KeptPage path={paths.backtest}>{backtest}</KeptPage>
      <Routes>
        <Route caseSensitive path="dashboard" element={null} />
        <Route caseSensitive path="backtest" element={null} />
        <Route caseSensitive path="trading" element={bots} />
        <Route caseSensitive path="bots/:id" element={bot} />
        <Route caseSensitive path="ml-analysis/*" element={dataCenter} />
        <Route caseSensitive path="settings/*" element={settings} />
        <Route path="*" element={<Navigate to={paths.dashboard} replace />} />
      </Routes>
    </>
  )
}
