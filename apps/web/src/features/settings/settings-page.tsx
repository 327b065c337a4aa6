import { Link, Typography } from '@mui/material'
import { Navigate, Route, Routes } from 'react-router'
import { colors } from '../../shared/theme/tokens.ts'
import { LaterPage } from '../../shared/ui/later-page.tsx'

/** Settings and the pages below it; any other address below leads to the dashboard. */
export const SettingsPage = () => (
  <Routes>
    <Route index element={<SystemPage />} />
    <Route path="*" element={<Navigate to="/dashboard" replace />} />
  </Routes>
)

const SystemPage = () => (
  <>
    <LaterPage title="Settings">
      What the project is about, the state of the system and the task board will stand here. What works today is under
      Test: backtests of a bot or of a model alone.
    </LaterPage>
    <Typography variant="small" sx={{ mt: 2, color: colors.text3 }}>
      Charts are drawn with{' '}
      <Link href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        TradingView Lightweight Charts
      </Link>
      , © TradingView, Inc.
    </Typography>
  </>
)
