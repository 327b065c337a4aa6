import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { BotsPage } from '../features/bots/bots-page.tsx'
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx'
import { KeptPage } from './kept-page.tsx'

const BacktestPage = lazy(async () => ({
  default: (await import('../features/backtest/backtest-page.tsx')).BacktestPage,
}))

const DataCenterPage = lazy(async () => ({
  default: (await import('./data-center/data-center-page.tsx')).DataCenterPage,
}))

const SettingsPage = lazy(async () => ({ default: (await import('./settings-sections.tsx')).Settings }))

/** Dashboard and Backtest stay mounted after a first visit; the others come and go. */
export function InnerPages() {
  return (
    <>
      <KeptPage path="/dashboard">
        <DashboardPage />
      </KeptPage>
      <KeptPage path="/backtest">
        <BacktestPage />
      </KeptPage>
      <Routes>
        <Route caseSensitive path="dashboard" element={null} />
        <Route caseSensitive path="backtest" element={null} />
        <Route caseSensitive path="trading" element={<BotsPage />} />
        <Route caseSensitive path="ml-analysis" element={<DataCenterPage />} />
        <Route caseSensitive path="settings/*" element={<SettingsPage />} />
        <Route path="*" element={<Navigate to="/dashboard" replace />} />
      </Routes>
    </>
  )
}
