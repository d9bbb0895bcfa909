/** The import rules of the architecture; `test/contract/architecture.test.ts` runs them. */
const service = '^services/(content|quota|identity|contributions)/src';

/** Files and folders that are named by their layer: `handlers.ts`, `store-reads.ts`, `store/`. */
const layer = (...names) => `/(${names.join('|')})[/.-]`;
const wire = layer('handlers', 'wire');
const database = layer('store', 'schema', 'documents', 'collections');

/** The storeys of a package, from the ground; those of one line stand beside each other. */
const storeys = {
  'gateway/src': [['http'], ['upstream'], ['protocol'], ['present'], ['api'], ['documents'], ['pages', 'mcp']],
  'services/content/src': [
    ['base'],
    ['changes'],
    ['articles', 'objects'],
    ['article-drafts', 'highlights', 'search'],
    ['glosses', 'lists', 'publication', 'read-counts', 'search-counts', 'synonyms'],
  ],
  'services/contributions/src': [
    ['base'],
    ['prompts'],
    ['domain'],
    ['checks'],
    ['store', 'clients'],
    ['publications'],
    ['mail'],
    ['handlers'],
    ['reasons', 'teamwork', 'workers'],
  ],
  'services/identity/src': [
    ['clients', 'domain'],
    ['mail', 'store'],
    ['erasures', 'mail-domains', 'staff', 'workers'],
    ['handlers'],
  ],
  'services/quota/src': [['domain'], ['store'], ['workers'], ['handlers']],
  'services/desk/src': [
    ['base', 'browser'],
    ['files', 'pages', 'terminal'],
    ['contributions', 'domains', 'limits', 'objects', 'record', 'sign-in', 'staff'],
    ['articles', 'people', 'prompts', 'reasons'],
    ['highlights', 'review', 'search', 'status', 'transfer', 'words'],
    ['web'],
  ],
};

/** The files of the desk for a terminal, and those for a browser: `cli.ts`, `cli-next.ts` and so on. */
const desk = {
  terminal: '^services/desk/src/(.+/cli[.-]|terminal/)',
  browser: '^services/desk/src/(.+/web[.-]|(browser|pages|web)/)',
};

module.exports = {
  forbidden: [
    ...Object.entries(storeys).flatMap(([source, lines]) => [
      ...lines.flatMap((line, at) => line.map((storey) => importsOnlyBelow(source, storey, lines.slice(0, at).flat()))),
      {
        name: `${source}-has-no-other-storeys`,
        comment: 'A new folder gets its place among the storeys.',
        severity: 'error',
        from: { path: `^${source}/`, pathNot: ['\\.test\\.ts$', '/testing/'] },
        to: { path: `^${source}/[^/]+/`, pathNot: `^${source}/(${lines.flat().join('|')})/` },
      },
    ]),
    {
      name: 'desk-terminal-knows-no-browser',
      comment: 'What the command line and the web desk both need is in the other files of its noun.',
      severity: 'error',
      from: { path: desk.terminal },
      to: { path: desk.browser },
    },
    {
      name: 'desk-browser-knows-no-terminal',
      severity: 'error',
      from: { path: desk.browser, pathNot: '\\.test\\.ts$' },
      to: { path: desk.terminal },
    },
    {
      name: 'desk-facts-know-neither-terminal-nor-browser',
      severity: 'error',
      from: { path: '^services/desk/src/[^/]+/', pathNot: [desk.terminal, desk.browser, '\\.test\\.ts$'] },
      to: { path: [desk.terminal, desk.browser] },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'services-meet-through-proto',
      comment: 'A service never imports another; they meet over gRPC.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/' },
      to: { path: '^services/([^/]+)/(src|dist)/', pathNot: ['^services/$1/', '^services/runtime/'] },
    },
    {
      name: 'only-tests-import-deployables',
      severity: 'error',
      from: { path: '^(proto|gateway|services|deploy)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(gateway|services/(content|quota|identity|contributions|desk)|deploy/local|test)/',
        pathNot: ['^$1/', '^services/[^/]+/src/', '^gateway/src/', '^deploy/local/src/'],
      },
    },
    {
      name: 'domain-knows-neither-wire-nor-database',
      severity: 'error',
      from: {
        path: `${service}.+/`,
        pathNot: [wire, database, '/(workers?|clients?|mail|testing)[/.]', '\\.test\\.ts$'],
      },
      to: {
        path: [
          '^proto/',
          '@knowledge/proto',
          'node_modules/mongodb/',
          'node_modules/@grpc/',
          `${service}.*${wire}`,
          `${service}.*${database}`,
          'services/runtime/(src|dist)/(grpc|mongodb|mail)/',
        ],
      },
    },
    {
      name: 'handlers-know-no-database',
      severity: 'error',
      from: { path: `${service}.*${wire}`, pathNot: '\\.test\\.ts$' },
      to: { path: ['node_modules/mongodb/', 'services/runtime/(src|dist)/mongodb/'] },
    },
    {
      name: 'store-knows-no-wire',
      severity: 'error',
      from: { path: `${service}.*${database}`, pathNot: '\\.test\\.ts$' },
      to: { path: ['^proto/', 'node_modules/@grpc/', 'services/runtime/(src|dist)/grpc/', `${service}.*${wire}`] },
    },
    {
      name: 'only-stores-know-mongodb',
      severity: 'error',
      from: {
        path: '^(gateway|services)/',
        pathNot: [
          `${service}.*${database}`,
          '/service\\.ts$',
          '^services/runtime/src/(mongodb|mail|testing|transition-log)/',
          '\\.test\\.ts$',
          '/testing/',
          '\\.fixture\\.ts$',
        ],
      },
      to: { path: 'node_modules/mongodb/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'gateway-never-loads-mongodb',
      severity: 'error',
      from: { path: '^gateway/src/' },
      to: { path: ['node_modules/mongodb/', 'services/runtime/(src|dist)/mongodb/'], reachable: true },
    },
    {
      name: 'runtime-knows-no-deployable',
      severity: 'error',
      from: { path: '^services/runtime/src/' },
      to: { path: '^(services/(?!runtime)|gateway|deploy|test)/' },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'declared-dependencies-only',
      comment: 'Hoisting lets an undeclared import resolve here and fail in an image.',
      severity: 'error',
      from: { path: '^(proto|gateway|services|deploy)/', pathNot: ['\\.test\\.ts$', '/testing/', '\\.fixture\\.ts$'] },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '(^|/)dist/'] },
    exclude: { path: ['(^|/)gen/', '^test/dist/'] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};

function importsOnlyBelow(source, storey, below) {
  return {
    name: `${source}/${storey}-imports-only-storeys-below`,
    severity: 'error',
    from: { path: `^${source}/${storey}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^${source}/`, pathNot: `^${source}/((config|stores)\\.ts$|(${[storey, ...below].join('|')})/)` },
  };
}
