import { Type } from 'typebox';
import { compressedHeaders, type Operation } from './operation.js';
import { ChangelogEntrySchema, ignoredFields, ok, SiteQuery, SiteSchema, uri } from './schemas.js';

const semver = Type.String({ description: 'A semantic version.' });

/** The description of a parameter or field in the capabilities document (gateway/PROTOCOL.md#capabilities). */
export const FieldSchema = Type.Object({
  required: Type.Boolean(),
  type: Type.String({ description: 'A JSON type.' }),
  min_length: Type.Optional(Type.Integer()),
  max_length: Type.Optional(Type.Integer()),
  minimum: Type.Optional(Type.Integer()),
  maximum: Type.Optional(Type.Integer()),
  values: Type.Optional(Type.Array(Type.String(), { description: 'The allowed values.' })),
  value: Type.Optional(Type.String({ description: 'The only allowed value.' })),
  default: Type.Optional(Type.Unknown({ description: 'The value if the field is absent.' })),
  description: Type.Optional(Type.String()),
});

const fields = Type.Record(Type.String(), FieldSchema);

/** The operator of the service, with links to its rules. */
const OperatorSchema = Type.Object({
  name: Type.String(),
  contact: Type.String({ description: 'An e-mail address or a URL, for people.' }),
  about_url: uri('What the service is and who runs it, for people.'),
  privacy_url: uri('The privacy notice.'),
  terms_url: Type.Optional(uri('The terms of use.')),
  imprint_url: Type.Optional(uri('The imprint.')),
  rules_url: Type.Optional(uri('The rules for contributions.')),
  content_license: Type.Object(
    { name: Type.String(), url: Type.Optional(uri('The licence.')) },
    { description: 'The licence of the texts.' },
  ),
});

const SitePurposesSchema = Type.Record(Type.String(), Type.String(), {
  description: 'What each site is for: its title and its subjects.',
});

/** An endpoint in the capabilities document (gateway/PROTOCOL.md#capabilities). */
export const EndpointSchema = Type.Object({
  status: Type.Literal('available'),
  method: Type.Enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: Type.String({ description: 'The path after the base URL, with parameters as {name}.' }),
  url: Type.String({ description: 'The path at the base URL of the site.' }),
  auth: Type.Enum(['none', 'optional_bearer', 'bearer']),
  query: Type.Optional(fields),
  headers: Type.Optional(fields),
  scopes: Type.Optional(Type.Array(Type.String())),
  notes: Type.String(),
  free_reads_per_day: Type.Optional(Type.Object({ anonymous: Type.Integer(), verified_email: Type.Integer() })),
  confirm_path: Type.Optional(Type.String()),
});

/** A type of contribution in the capabilities document (gateway/PROTOCOL.md#capabilities). */
export const WritePayloadSchema = Type.Object({
  scope: Type.String(),
  sites: Type.Array(SiteSchema),
  method: Type.Literal('POST'),
  path: Type.String(),
  auth: Type.Literal('bearer'),
  body: fields,
});

const path = (description: string) => Type.String({ description });

/** The capabilities document (gateway/PROTOCOL.md#capabilities). */
export const CapabilitiesSchema = Type.Object({
  ok,
  api_version: semver,
  min_client_version: semver,
  site: SiteSchema,
  site_purposes: SitePurposesSchema,
  operator: OperatorSchema,
  implementation_status: Type.String(),
  documentation: Type.Object({
    human: uri('For people.'),
    spec: uri('OpenAPI 3.1.'),
    agent_entry: uri('Where an agent begins.'),
  }),
  endpoints: Type.Record(Type.String(), EndpointSchema, {
    description: 'The endpoints that the service offers now, by name.',
  }),
  identity: Type.Object({
    primary: Type.Literal('email'),
    write_authorization: Type.Literal('one_time_email_confirm_then_bearer_token'),
    token_ttl_days: Type.Integer(),
    token_sites: Type.Array(SiteSchema),
  }),
  write_payloads: Type.Record(Type.String(), WritePayloadSchema, {
    description: 'The bodies of contributions by type.',
  }),
  changelog_url: uri('The changelog.'),
  content_index_example: uri('An index to begin with.'),
  client_id: Type.Object({
    header: Type.String(),
    required: Type.Boolean(),
    min_length: Type.Integer(),
    max_length: Type.Integer(),
    description: Type.String(),
    example: Type.String(),
  }),
  errors: Type.Object({
    shape: Type.Object({ ok: Type.Literal(false), error: Type.String(), message: Type.String() }),
    codes: Type.Record(
      Type.String(),
      Type.Object({ status: Type.Integer(), retryable: Type.Boolean(), description: Type.String() }),
    ),
    rate_limit_headers: Type.Array(Type.String()),
  }),
  limits: Type.Record(
    Type.String(),
    Type.Object({
      max: Type.Integer(),
      min: Type.Optional(Type.Integer()),
      window: Type.Optional(Type.String()),
      per: Type.Optional(Type.String()),
    }),
  ),
  changelog: Type.Object({
    ok,
    api_version: Type.String(),
    entries: Type.Array(Type.Record(Type.String(), Type.String())),
  }),
  quick_start: Type.Array(Type.String()),
});

/** The response with the changelog (gateway/PROTOCOL.md#changelog). */
export const ChangelogSchema = Type.Object({
  ok,
  ...ignoredFields,
  api_version: semver,
  entries: Type.Array(ChangelogEntrySchema),
});

/** The JSON of GET /api/agent (gateway/PROTOCOL.md#orientation). */
export const AgentEntrySchema = Type.Object({
  ok,
  api_version: semver,
  site: SiteSchema,
  base_url: uri('It stands before every path in this document.'),
  name: Type.String(),
  description: Type.String(),
  site_purposes: SitePurposesSchema,
  operator: Type.Object({ ...OperatorSchema.properties, about_url: path('Who runs this.') }),
  content_policy: Type.String({ description: 'How to treat what the community wrote.' }),
  quick_start: Type.Array(Type.String()),
  limits: Type.Object({
    article_reads_per_utc_day: Type.Object({ anonymous: Type.Integer(), verified_email: Type.Integer() }),
    contributions_per_utc_day: Type.Integer(),
    free: Type.String({ description: 'Calls that do not use up a read.' }),
  }),
  endpoints: Type.Record(
    Type.String(),
    Type.Object({
      method: Type.String(),
      path: Type.String(),
      auth: Type.Optional(Type.String({ description: 'Absent if the call takes no token.' })),
    }),
  ),
  bodies: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
    description: 'Every JSON body that an agent sends, by call: field name → bounds.',
  }),
  documentation: Type.Object({
    capabilities: path('Everything, for programs.'),
    openapi: path('OpenAPI 3.1.'),
    llms_txt: path('The index of API URLs.'),
    for_agents: path('The protocol, readable.'),
    docs: path('Every operation with its fields, examples and errors, for people.'),
    changelog: path('What changed.'),
  }),
  sites: Type.Record(Type.String(), uri('The agent entry of the site.')),
});

/** The operation GET /api/v1/capabilities (gateway/PROTOCOL.md#capabilities). */
export const readCapabilities = {
  id: 'readCapabilities',
  endpoint: 'capabilities',
  method: 'GET',
  path: '/api/v1/capabilities',
  summary: 'What this service can do, for programs',
  description: 'All endpoints, payloads, limits and errors in detail; GET /api/agent has what you need to begin.',
  auth: 'none',
  query: Type.Object(SiteQuery),
  responses: { 200: CapabilitiesSchema },
  responseHeaders: compressedHeaders,
  errors: ['validation_error'],
} as const satisfies Operation;

/** The operation GET /api/v1/agent/changelog (gateway/PROTOCOL.md#changelog). */
export const readChangelog = {
  id: 'readChangelog',
  endpoint: 'agent_changelog',
  method: 'GET',
  path: '/api/v1/agent/changelog',
  summary: 'What changed in this protocol',
  description: 'Every change of behaviour is announced here first. Read it before you rely on what you remember.',
  auth: 'none',
  responses: { 200: ChangelogSchema },
  responseHeaders: compressedHeaders,
  errors: [],
} as const satisfies Operation;

/** The operation GET /api/v1/openapi.json (gateway/PROTOCOL.md#orientation). */
export const readOpenApi = {
  id: 'readOpenApi',
  endpoint: 'openapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  summary: 'This protocol as OpenAPI 3.1',
  description: 'Made from the same schemas that validate requests.',
  auth: 'none',
  query: Type.Object(SiteQuery),
  responses: { 200: Type.Object({ openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) }) },
  responseHeaders: compressedHeaders,
  errors: ['validation_error'],
} as const satisfies Operation;

/** The operation GET /api/agent (gateway/PROTOCOL.md#orientation). */
export const readAgentEntry = {
  id: 'readAgentEntry',
  endpoint: 'agent_entry',
  method: 'GET',
  path: '/api/agent',
  summary: 'Where an agent begins',
  description: 'What this is and where everything is; JSON, or Markdown or HTML where Accept prefers them.',
  auth: 'none',
  query: Type.Object(SiteQuery),
  responses: { 200: AgentEntrySchema },
  responseHeaders: compressedHeaders,
  otherMediaTypes: ['text/markdown', 'text/html'],
  errors: ['validation_error'],
} as const satisfies Operation;
