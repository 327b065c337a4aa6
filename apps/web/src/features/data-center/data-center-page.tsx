import { LaterPage } from '../../shared/ui/later-page.tsx'

export const DataCenterPage = () => (
  <LaterPage title="Data Center">
    Preparing and exporting data sets, training and judging models, and the technical indicators will stand here. What
    works today is under Test: backtests of a bot or of a model alone.
  </LaterPage>
)
