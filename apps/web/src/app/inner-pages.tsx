import { type ComponentType, lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { FirstLoadWatch } from './first-load-watch.tsx'
import { KeptPage } from './kept-page.tsx'
import { loadBacktest, loadBots, loadDashboard, loadDataCenter, loadSettings } from './page-code.ts'

function page(load: () => Promise<{ default: ComponentType }>) {
  const Page = lazy(load)
  return (
    <>
      <Page />
      <FirstLoadWatch />
    </>
  )
}
const dashboard = page(loadDashboard)
const bots = page(loadBots)
const dataCenter = page(loadDataCenter)
const backtest = page(loadBacktest)
const settings = page(loadSettings)

/** Dashboard and Backtest stay mounted after a first visit; the others come and go. */
export function InnerPages() {
  return (
    <>
      <KeptPage path="/dashboard">{dashboard}</KeptPage>
      <KeptPage path="/backtest">{backtest}</KeptPage>
      <Routes>
        <Route caseSensitive path="dashboard" element={null} />
        <Route caseSensitive path="backtest" element={null} />
        <Route caseSensitive path="trading" element={bots} />
        <Route caseSensitive path="ml-analysis" element={dataCenter} />
        <Route caseSensitive path="settings/*" element={settings} />
        <Route path="*" element={<Navigate to="/dashboard" replace />} />
      </Routes>
    </>
  )
}
