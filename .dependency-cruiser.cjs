/** The worker's layers, from the bottom up. What one does not import it hears of from those above by an event. */
const WORKER = [
  ...['(alarm|failpoints|tokens|within)[.]ts$', 'processor/cycle/', 'worker-events[.]ts$'],
  ...['metrics/', 'database/', 'gateways/', 'guards/'],
  ...['prepare', 'audit', 'record', 'reconcile', 'charge', 'claim'].map((step) => `processor/${step}/`),
  ...['outbox/', 'processor/simulated/', 'processor/[^/]+[.]ts$', 'housekeeping/'],
  ...['dispatcher/', 'pushes/', 'read-back/', 'operations/'],
  '(main|(service|core)[.]module|worker([.]module)?)[.]ts$',
].map((layer) => `^apps/worker/src/${layer}`);

/** The folders of the api, from the bottom up. Each imports what is below it, and nothing beside it. */
const API = [
  ['http'],
  ['contract'],
  ['catalog', 'events', 'orders', 'rates', 'scheduled-orders', 'sites', 'system', 'test-clocks', 'webhooks'],
  ['customers', 'logs', 'shops', 'timeline'],
  ['auth', 'explain', 'payments', 'reports'],
];
const ofApi = (folders) => `^apps/api/src/(${folders.join('|')})/`;

/** Who may import whom (docs/architecture.md). */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Imports of types count: a circle cannot be read from one end to the other.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'the-platform-knows-nothing-of-ours',
      severity: 'error',
      from: { path: '^libs/platform/' },
      to: { path: '^libs/(?!platform/)' },
    },
    { name: 'libs-never-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'apps-never-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '^libs/rules/src/', pathNot: '[.]test[.]ts$' },
      to: { path: '^(libs/(?!rules/)|apps/|test/)|node_modules/(@nestjs|typeorm|pg)/' },
    },
    {
      name: 'entities-import-rules-and-platform-at-most',
      severity: 'error',
      from: { path: '^libs/entities/' },
      to: { path: '^libs/(?!entities/|rules/|platform/)' },
    },
    {
      name: 'shops-know-no-tables',
      severity: 'error',
      comment:
        'What is pushed comes from the ledger as values. It shares the names of charges, and the signature of webhooks.',
      from: { path: '^libs/shops/src/', pathNot: '[.]test[.]ts$' },
      to: { path: '^(libs/(?!shops/|rules/|platform/|gateways/|events/)|apps/)' },
    },
    {
      name: 'database-imports-nothing-of-ours',
      severity: 'error',
      comment:
        'Every process connects with it, whatever it does then: it knows neither tables nor settings. It tells traces, which know nothing of ours either.',
      from: { path: '^libs/platform/src/(database|tracing)/' },
      to: { path: '^(libs/(?!platform/src/(database|tracing)/)|apps/)' },
    },
    {
      name: 'the-driver-is-used-by-database-alone',
      severity: 'error',
      comment:
        'Everything else sends statements through an SqlExecutor. TypeORM makes a pool of its own, LISTEN needs a client of its own, and the embedded server is made before anything else.',
      from: {
        path: '^(apps|libs)/',
        pathNot:
          '^libs/platform/src/database/|^libs/platform/src/config/embedded/|^libs/entities/src/data-source[.]ts$|^apps/worker/src/database/request-signal[.]ts$',
      },
      to: { path: 'node_modules/(@types/)?pg/' },
    },
    {
      name: 'typeorm-describes-and-migrates',
      severity: 'error',
      comment:
        'It has the tables and the migrations; statements of the product do not go through it. The others make its data source, or read from it which columns an entity has.',
      from: {
        path: '^(apps|libs)/',
        pathNot:
          '[.]test[.]ts$|^libs/entities/|^libs/records/src/views/view[.]ts$|^apps/cli/src/(database|migrate/[^/]+)[.]ts$',
      },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'stripe-is-loaded-on-first-use',
      severity: 'error',
      comment: 'Its package is large, and most processes never call it.',
      from: { path: '^(apps|libs)/', pathNot: ['^libs/gateways/src/stripe/', '[.]test[.]ts$'] },
      to: {
        path: ['node_modules/stripe/', '^libs/gateways/src/stripe/(?!(amounts|mode)[.])'],
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'opentelemetry-is-loaded-when-traces-are-on',
      severity: 'error',
      comment: 'Nobody pays for what is off.',
      from: { path: '^(apps|libs)/', pathNot: ['^libs/platform/src/tracing/sdk/', '[.]test[.]ts$'] },
      to: {
        path: ['node_modules/@opentelemetry/', '^libs/platform/src/tracing/sdk/'],
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'typeorm-is-loaded-where-it-runs',
      severity: 'error',
      comment:
        'The whole of it takes a quarter of a second. Entities need its decorators alone (libs/entities/src/table/decorators.ts).',
      from: { path: '^(apps|libs)/', pathNot: '[.]test[.]ts$|^apps/cli/src/migrate/migrate[.]ts$' },
      to: { path: 'node_modules/typeorm/index[.]', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'the-console-is-a-client',
      severity: 'error',
      comment:
        'Whatever it needs, a shop may call too: it knows of the service only the types made from the OpenAPI document.',
      from: { path: '^apps/console/' },
      to: { path: '^(apps|libs|test)/', pathNot: '^apps/console/' },
    },
    {
      name: 'nobody-imports-the-console',
      severity: 'error',
      comment: 'But for the generated types, which the tests call the API with, and its words, which a test compares.',
      from: { pathNot: '^apps/console/' },
      to: {
        path: '^apps/console/',
        pathNot: '^apps/console/src/(api/schema[.]d[.]ts|difference-kinds[.]ts|money[.]ts|reasons[.]ts)$',
      },
    },
    {
      name: 'charts-are-loaded-when-they-are-shown',
      severity: 'error',
      comment: 'Their package is as large as all the rest; a file named charts… is loaded by import() alone.',
      from: { path: '^apps/console/', pathNot: '/[^/]*chart[^/]*[.]tsx$' },
      to: { path: 'node_modules/(@mantine/charts|recharts)/' },
    },
    {
      name: 'products-never-import-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '[.]test[.]ts$' },
      to: { path: '^(test|bench)/' },
    },
    ...API.map((folders, at) => ({
      name: `api-layer-${at + 1}-imports-only-what-is-below-it`,
      severity: 'error',
      comment: `Types count. The layer: ${folders.join(', ')}`,
      from: { path: ofApi(folders) },
      to: { path: ofApi(API.slice(at).flat()), pathNot: '^apps/api/src/$1/' },
    })),
    {
      name: 'each-folder-of-the-api-has-a-layer',
      severity: 'error',
      comment: 'One without would be a way up.',
      from: {},
      to: { path: '^apps/api/src/[^/]+/', pathNot: ofApi(API.flat()) },
    },
    ...WORKER.slice(0, -1).map((layer, at) => ({
      name: `worker-layer-${at + 1}-imports-nothing-above-it`,
      severity: 'error',
      comment: `Types count. A step tells those above by an event (worker-events.ts). The layer: ${layer}`,
      from: { path: layer, pathNot: '[.]test[.]ts$' },
      to: { path: WORKER.slice(at + 1) },
    })),
    {
      name: 'each-file-of-the-worker-has-a-layer',
      severity: 'error',
      comment: 'One without would be a way up.',
      from: {},
      to: { path: '^apps/worker/src/', pathNot: WORKER },
    },
    {
      name: 'libs-are-entered-by-their-index',
      severity: 'error',
      from: { path: '^(apps|test)/' },
      to: { path: '^libs/[^/]+/src/(?!index[.]ts$)', pathNot: '^libs/[^/]+/src/testing/' },
    },
    {
      name: 'not-to-dev-dependencies',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '[.]test[.]tsx?$|^apps/console/vite[.]config[.]ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '[.][.]/(build|dist)/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
    doNotFollow: { path: 'node_modules' },
  },
};
