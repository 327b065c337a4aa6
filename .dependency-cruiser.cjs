/**
 * The walls of the house. Data flows one way: contracts → domain packages → platform → services → composition;
 * the web client imports contracts, the pure indicators and the language of rules only. Inside the trading service the rooms stand on floors.
 */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  comment: `${from} may import ${allowed.length ? allowed.join(', ') : 'no other workspace'} only`,
  from: { path: `^${from}/` },
  to: { path: '^(packages|apps|bench|e2e)/', pathNot: [`^${from}/`, ...allowed.map((a) => `^${a}/`)] },
})

/** The rooms of the trading service, upper floors first: a room imports rooms further down this list, never further up. */
const TRADING_FLOORS = [
  'parts',
  'alerts',
  'bots',
  'lab',
  'search',
  'backtests',
  'deciders',
  'orders',
  'exchange',
  'forecasts',
  'models',
  'rules',
  'trials',
  'ledger',
  'market',
  'ground',
]

/** The same for the social service. */
const SOCIAL_FLOORS = ['activities', 'auth', 'notifications', 'tasks', 'proof', 'users', 'ground']

/** The same for the web client; routes has the addresses alone. */
const WEB_FLOORS = ['app', 'features', 'charts', 'entities', 'wire', 'kit', 'routes']

const TESTS = '\\.test\\.tsx?$|/testing/|^apps/[^/]+/test/'

/** One rule a room: not the roof (the files beside the rooms), not the rooms above it. */
const floorsOf = (src, floors) =>
  floors.map((room, above) => ({
    name: `floors-${src.split('/')[1]}-${room}`,
    severity: 'error',
    comment: `${room} may import ${floors.slice(above + 1).join(', ') || 'no other room'} only`,
    from: { path: `^${src}/${room}/`, pathNot: TESTS },
    to: { path: [`^${src}/[^/]+$`, ...floors.slice(0, above).map((upper) => `^${src}/${upper}/`)] },
  }))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only('contracts-stand-alone', 'packages/contracts', []),
    only('engine-uses-contracts', 'packages/engine', ['packages/contracts']),
    only('ml-uses-engine-and-contracts', 'packages/ml', ['packages/contracts', 'packages/engine']),
    only('venues-use-engine-and-contracts', 'packages/venues', ['packages/contracts', 'packages/engine']),
    only('platform-uses-contracts', 'packages/platform', ['packages/contracts']),
    only('social-below-composition', 'apps/social', ['packages/contracts', 'packages/platform']),
    only('trading-below-composition', 'apps/trading', [
      'packages/contracts',
      'packages/engine',
      'packages/ml',
      'packages/venues',
      'packages/platform',
    ]),
    only('web-uses-contracts', 'apps/web', [
      'packages/contracts',
      'packages/engine/src/indicators',
      'packages/engine/src/rules',
    ]),
    {
      name: 'pure-domain',
      severity: 'error',
      comment: 'The engine and the contracts do no I/O: no Node module, no library but zod.',
      from: { path: '^packages/(engine|contracts)/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'], pathNot: 'node_modules/zod/' },
    },
    ...floorsOf('apps/trading/src', TRADING_FLOORS),
    {
      name: 'tests-above-product',
      severity: 'error',
      comment: 'What only tests use is no part of the product.',
      from: { path: '^(packages|apps)/[^/]+/src/', pathNot: TESTS },
      to: { path: TESTS },
    },
    ...floorsOf('apps/social/src', SOCIAL_FLOORS),
    {
      name: 'web-rooms-apart',
      severity: 'error',
      comment: 'A feature of the web client takes what two of them know from entities.',
      from: { path: '^(apps/web/src/features)/([^/]+)/' },
      to: { path: '^$1/', pathNot: '^$1/$2/' },
    },
    ...floorsOf('apps/web/src', WEB_FLOORS),
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      comment: 'What tests share, such as the exchange that they talk to, is no part of the product.',
      from: { path: '^(packages|apps)/', pathNot: TESTS },
      to: { path: '^(packages|apps)/.*/testing/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|virtual:' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
}
