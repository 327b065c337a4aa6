/** `path` with `query`, without what is null. */
function address(path: string, query: Readonly<Record<string, string | null>>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [value === '' ? name : `${name}=${value.split(',').map(encodeURIComponent).join(',')}`],
  )
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}

/** In the place of a bot's id: the form opens with what is recommended to begin with. */
export const RECOMMENDED = 'recommended'

/** Every address of the client. What a person would share stands in it. */
export const paths = {
  login: '/login',
  register: '/register',
  reset: '/reset',
  forgot: '/forgot',
  dashboard: '/dashboard',
  bots: '/trading',
  bot: (id: string) => `/bots/${id}`,
  /** Trading by hand. */
  trade: (symbol: string | null = null) => address('/trade', { symbol }),
  createBot: address('/trading', { create: '' }),
  /** The same with what is recommended to begin with filled in. */
  recommendedBot: address('/trading', { create: RECOMMENDED }),
  /** The form for another bot like one. */
  copyBot: (id: string) => address('/trading', { create: id }),
  dataCenter: '/ml-analysis',
  /** The candles of a series: what is stored, and the way to more. */
  candles: (coins: string, timeframe: string) => address('/ml-analysis', { coins, timeframe }),
  model: (version: string, artifact: string | null = null) =>
    address(`/ml-analysis/models/${encodeURIComponent(version)}`, { artifact }),
  /** Of models side by side, on a series such as `BTCUSDT 1h`; without one on the first that they have in common. */
  compare: (versions: readonly string[], series: string | null = null) =>
    address('/ml-analysis/compare', { versions: versions.length === 0 ? null : versions.join(','), series }),
  /** Without a version that of the model in use. */
  record: (version: string | null = null) => address('/ml-analysis/record', { version }),
  backtest: '/backtest',
  run: (id: string) => address('/backtest', { run: id }),
  /** A new search of settings, or one that was asked for. */
  search: (id: string | null = null) => address('/backtest/search', { search: id }),
  /** Writing a rule. */
  rule: '/backtest/rule',
  /** One that is stored. */
  storedRule: (id: string) => `/backtest/rules/${id}`,
  /** Without an id the plan of a new walk. */
  walkForward: (walk: string | null = null) => address('/backtest/walk-forward', { walk }),
  /** The form of a walk, filled as that one was. */
  walkPlan: (plan: string) => address('/backtest/walk-forward', { plan }),
  batch: (batch: string | null = null) => address('/backtest/batch', { batch }),
  compareRuns: (ids: readonly string[]) => `/backtest?compare=${ids.join(',')}`,
  settings: '/settings',
  /** A page below Settings. */
  settingsPage: (name: string) => `/settings/${name}`,
  tasks: '/settings/tasks',
  task: (id: string) => address('/settings/tasks', { task: id }),
  glossary: '/settings/glossary',
  profile: '/settings/profile',
  notifications: '/settings/notifications',
  exchangeKeys: '/settings/exchange-keys',
  audit: '/settings/audit',
  /** What was done to a user. */
  auditOf: (username: string) => address('/settings/audit', { about: username }),
  /** What a user did. */
  auditBy: (userId: string) => address('/settings/audit', { actor: userId }),
} as const

export const MOST_COMPARED = 5

/** The versions that the address of a comparison names, each once, at most five. */
export const comparedIn = (search: URLSearchParams): readonly string[] =>
  [...new Set((search.get('versions') ?? '').split(',').map((name) => name.trim()))]
    .filter((name) => name !== '')
    .slice(0, MOST_COMPARED)

/**
 * Where an address of before leads, when the pages of the Data Center stood in its query: `?model=v3&artifact=…`,
 * `?compare=v3,v4`, `?record=v3`. Null for the query of the Data Center itself.
 */
export function movedTo(search: URLSearchParams): string | null {
  const [model, compare, record] = ['model', 'compare', 'record'].map((name) => search.get(name))
  const rest = new URLSearchParams(search)
  for (const name of ['model', 'compare', 'record']) rest.delete(name)
  const withRest = (to: string) => (rest.size === 0 ? to : `${to}${to.includes('?') ? '&' : '?'}${rest}`)
  if (model) return withRest(paths.model(model))
  if (compare != null) return withRest(paths.compare(compare.split(',').filter((name) => name !== '')))
  return record == null ? null : withRest(paths.record(record === '' ? null : record))
}
