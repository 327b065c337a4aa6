import { LaterPage } from '../../shared/ui/later-page.tsx'

export const DashboardPage = () => (
  <LaterPage title="Dashboard">
    System health, the BTC/USDT chart, the model's signal, public bots, recent backtests and tasks will stand here. What
    works today is under Test: backtests of a bot or of a model alone.
  </LaterPage>
)
