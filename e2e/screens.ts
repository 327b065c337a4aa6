/** Who looks at a screen. */
export type Viewer = 'nobody' | 'user' | 'admin'
/** What the services answer: as they do, never, or with an error. */
export type Answers = 'real' | 'never' | 'errors'

export interface Screen {
  readonly name: string
  readonly path: string
  readonly as: Viewer
  readonly answers?: Answers
}

/** Of an installation where nothing was done yet. */
export const EMPTY_SCREENS: readonly Screen[] = [
  { name: 'landing', path: '/', as: 'nobody' },
  { name: 'sign-in', path: '/login', as: 'nobody' },
  { name: 'sign-up', path: '/register', as: 'nobody' },
  { name: 'reset', path: '/reset', as: 'nobody' },
  { name: 'dashboard-empty', path: '/dashboard', as: 'admin' },
  { name: 'bots-empty', path: '/trading', as: 'admin' },
  { name: 'backtest-empty', path: '/backtest', as: 'admin' },
  { name: 'data-center-empty', path: '/ml-analysis', as: 'admin' },
  { name: 'api-social', path: '/soc/docs', as: 'nobody' },
]

/** Of an installation with a model, a bot, a run and a task. */
export const FULL_SCREENS: readonly Screen[] = [
  { name: 'dashboard', path: '/dashboard', as: 'admin' },
  { name: 'bots', path: '/trading', as: 'admin' },
  { name: 'create-bot', path: '/trading?create', as: 'admin' },
  { name: 'bot-details', path: '/trading?bot=BOT', as: 'admin' },
  { name: 'bot-page', path: '/bots/BOT', as: 'admin' },
  { name: 'bot-results', path: '/bots/BOT?tab=results', as: 'admin' },
  { name: 'bot-decisions', path: '/bots/BOT?tab=decisions', as: 'admin' },
  { name: 'bot-settings', path: '/bots/BOT?tab=settings', as: 'admin' },
  { name: 'trade', path: '/trade', as: 'admin' },
  { name: 'backtest', path: '/backtest', as: 'admin' },
  { name: 'backtest-run', path: '/backtest?run=RUN', as: 'admin' },
  { name: 'backtest-compare', path: '/backtest?compare=RUN,OTHER', as: 'admin' },
  { name: 'rule', path: '/backtest/rule', as: 'admin' },
  { name: 'rule-stored', path: '/backtest/rules/RULE', as: 'admin' },
  { name: 'walk-forward', path: '/backtest/walk-forward', as: 'admin' },
  { name: 'batch', path: '/backtest/batch', as: 'admin' },
  { name: 'search', path: '/backtest/search', as: 'admin' },
  { name: 'data-center', path: '/ml-analysis', as: 'admin' },
  { name: 'model', path: '/ml-analysis/models/v3', as: 'admin' },
  { name: 'record', path: '/ml-analysis/record', as: 'admin' },
  { name: 'settings', path: '/settings', as: 'admin' },
  { name: 'glossary', path: '/settings/glossary', as: 'admin' },
  { name: 'tasks', path: '/settings/tasks', as: 'admin' },
  { name: 'profile', path: '/settings/profile', as: 'admin' },
  { name: 'security', path: '/settings/security', as: 'admin' },
  { name: 'notifications', path: '/settings/notifications', as: 'admin' },
  { name: 'alerts', path: '/settings/alerts', as: 'admin' },
  { name: 'alert-edit', path: '/settings/alerts?edit=new', as: 'admin' },
  { name: 'outlets', path: '/settings/outlets', as: 'admin' },
  { name: 'users', path: '/settings/users', as: 'admin' },
  { name: 'exchange-keys', path: '/settings/exchange-keys', as: 'admin' },
  { name: 'failed-jobs', path: '/settings/failed-jobs', as: 'admin' },
  { name: 'audit', path: '/settings/audit', as: 'admin' },
  { name: 'dashboard-signed-out', path: '/dashboard', as: 'nobody' },
  { name: 'backtest-user', path: '/backtest', as: 'user' },
]

/** How the pages look while they wait and where nothing answers well. */
export const OTHER_STATES: readonly Screen[] = [
  '/dashboard',
  '/trading',
  '/backtest',
  '/ml-analysis',
  '/settings',
].flatMap((path) => [
  { name: `${path.slice(1)}-loading`, path, as: 'admin', answers: 'never' } as const,
  { name: `${path.slice(1)}-error`, path, as: 'admin', answers: 'errors' } as const,
])
