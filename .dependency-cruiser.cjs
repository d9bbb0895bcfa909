/** The import rules of the architecture; `test/contract/architecture.test.ts` runs them. */
const service = '^services/(content|quota|identity|contributions)/src/';

/** The folder of a service with this name, and what its features have of it: `domain`, `staff/domain`, `reasons/domain.ts`. */
const folders = (name) => [`${service}${name}/`, `${service}[^/]+/${name}[/.]`];

/** The storeys of the gateway, from the ground; those of one line stand beside each other. */
const storeys = [['http'], ['upstream'], ['protocol'], ['present'], ['api'], ['documents'], ['pages', 'mcp']];

module.exports = {
  forbidden: [
    ...storeys.flatMap((line, at) => line.map((storey) => importsOnlyBelow(storey, storeys.slice(0, at).flat()))),
    {
      name: 'desk-commands-and-web-stand-beside-each-other',
      comment: 'What the command line and the web desk both need is in the other folders of the desk.',
      severity: 'error',
      from: { path: '^services/desk/src/(commands|web)/' },
      to: { path: '^services/desk/src/(commands|web)/', pathNot: '^services/desk/src/$1/' },
    },
    {
      name: 'gateway-has-no-other-storeys',
      comment: 'A new folder gets its place among the storeys.',
      severity: 'error',
      from: { path: '^gateway/src/' },
      to: { path: '^gateway/src/[^/]+/', pathNot: `^gateway/src/(${storeys.flat().join('|')})/` },
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
      from: { path: [...folders('domain'), `${service}search/`], pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          '^proto/',
          '@knowledge/proto',
          'node_modules/mongodb/',
          'node_modules/@grpc/',
          '/(handlers|store)[/.]',
          'services/runtime/(src|dist)/(grpc|mongodb|mail)/',
        ],
      },
    },
    {
      name: 'handlers-know-no-database',
      severity: 'error',
      from: { path: folders('handlers'), pathNot: '\\.test\\.ts$' },
      to: { path: ['node_modules/mongodb/', 'services/runtime/(src|dist)/mongodb/'] },
    },
    {
      name: 'store-knows-no-wire',
      severity: 'error',
      from: { path: folders('store'), pathNot: '\\.test\\.ts$' },
      to: { path: ['^proto/', 'node_modules/@grpc/', 'services/runtime/(src|dist)/grpc/', '/handlers[/.]'] },
    },
    {
      name: 'only-stores-know-mongodb',
      severity: 'error',
      from: {
        path: '^(gateway|services)/',
        pathNot: [
          '/store[/.]',
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

function importsOnlyBelow(storey, below) {
  return {
    name: `gateway-${storey}-imports-only-storeys-below`,
    severity: 'error',
    from: { path: `^gateway/src/${storey}/`, pathNot: '\\.test\\.ts$' },
    to: { path: '^gateway/src/', pathNot: `^gateway/src/(config\\.ts$|(${[storey, ...below].join('|')})/)` },
  };
}
