import { LaterPage } from '../../shared/ui/later-page.tsx'

export const BotsPage = () => (
  <LaterPage title="Bots">
    Your bots and everybody's public ones will stand here, with their balance, return and state, and the dialog that
    creates one. What works today is under Test: backtests of a bot or of a model alone.
  </LaterPage>
)
