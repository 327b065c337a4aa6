/**
 * The walls of the house. Data flows one way: contracts → domain packages → platform → services → composition;
 * the web client imports contracts and the pure indicators only, and rooms (features) do not import each other.
 */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  comment: `${from} may import ${allowed.length ? allowed.join(', ') : 'no other workspace'} only`,
  from: { path: `^${from}/` },
  to: { path: '^(packages|apps|bench|e2e)/', pathNot: [`^${from}/`, ...allowed.map((a) => `^${a}/`)] },
})

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
    only('web-uses-contracts', 'apps/web', ['packages/contracts', 'packages/engine/src/indicators']),
    {
      name: 'pure-domain',
      severity: 'error',
      comment: 'The engine and the contracts do no I/O: no Node module, no library but zod.',
      from: { path: '^packages/(engine|contracts)/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'rooms-apart',
      severity: 'error',
      comment:
        'A feature declares the narrow interface that it needs; the composition file passes the collaborator in.',
      from: { path: '^(apps/[^/]+/src/features)/([^/]+)/' },
      to: { path: '^$1/', pathNot: '^$1/$2/' },
    },
    {
      name: 'shared-below-features',
      severity: 'error',
      comment: 'In the web client shared → charts → features → app.',
      from: { path: '^apps/web/src/(shared|charts)/' },
      to: { path: '^apps/web/src/(features|app)/' },
    },
    {
      name: 'features-below-app',
      severity: 'error',
      from: { path: '^apps/web/src/features/' },
      to: { path: '^apps/web/src/app/' },
    },
    {
      name: 'local-exchange-is-for-tests',
      severity: 'error',
      comment: 'The exchange that tests talk to is no part of the product.',
      from: { path: '^(packages|apps)/', pathNot: '\\.test\\.tsx?$|/testing/|^apps/[^/]+/test/|/local-exchange/' },
      to: { path: '^packages/venues/src/local-exchange/' },
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
