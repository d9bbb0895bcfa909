import { Type } from 'typebox';
import { type Operation, publicRead } from './operation.js';
import { answer, ignoredFields, named, SiteQuery, SiteSchema, text, uri } from './schemas.js';

const semver = text('A semantic version.');

/** An entry of the changelog (gateway/PROTOCOL.md#changelog). */
export const ChangelogEntrySchema = named(
  'ChangelogEntry',
  Type.Object({
    version: text(),
    date: Type.String({ format: 'date' }),
    summary: text(),
    agent_action: text(),
  }),
);

/** The description of a parameter or field in the capabilities document (gateway/PROTOCOL.md#capabilities). */
export const FieldSchema = named(
  'Field',
  Type.Object({
    required: Type.Boolean(),
    type: text('A JSON type.'),
    min_length: Type.Optional(Type.Integer()),
    max_length: Type.Optional(Type.Integer()),
    minimum: Type.Optional(Type.Integer()),
    maximum: Type.Optional(Type.Integer()),
    values: Type.Optional(Type.Array(text(), { description: 'The allowed values.' })),
    value: Type.Optional(text('The only allowed value.')),
    default: Type.Optional(Type.Unknown({ description: 'The value if the field is absent.' })),
    description: Type.Optional(text()),
  }),
);

const fields = Type.Record(text(), FieldSchema);

/** The operator of the service, with links to its rules. */
const OperatorSchema = Type.Object({
  name: text(),
  contact: text('An e-mail address or a URL, for people.'),
  about_url: uri('What the service is and who runs it, for people.'),
  privacy_url: uri('The privacy notice.'),
  terms_url: Type.Optional(uri('The terms of use.')),
  imprint_url: Type.Optional(uri('The imprint.')),
  rules_url: Type.Optional(uri('The rules for contributions.')),
  content_license: Type.Object(
    { name: text(), url: Type.Optional(uri('The licence.')) },
    { description: 'The licence of the texts.' },
  ),
});

const SitePurposesSchema = Type.Record(text(), text(), {
  description: 'What each site is for: its title and its subjects.',
});

/** An endpoint in the capabilities document (gateway/PROTOCOL.md#capabilities). */
export const EndpointSchema = named(
  'Endpoint',
  Type.Object({
    status: Type.Literal('available'),
    method: Type.Enum(['GET', 'POST', 'PUT', 'DELETE']),
    path: text('The path after the base URL, with parameters as {name}.'),
    url: text('The path at the base URL of the site.'),
    auth: Type.Enum(['none', 'optional_bearer', 'bearer']),
    query: Type.Optional(fields),
    headers: Type.Optional(fields),
    scopes: Type.Optional(Type.Array(text())),
    notes: text(),
    free_reads_per_day: Type.Optional(Type.Object({ anonymous: Type.Integer(), verified_email: Type.Integer() })),
    confirm_path: Type.Optional(text()),
  }),
);

/** A type of contribution in the capabilities document (gateway/PROTOCOL.md#capabilities). */
export const WritePayloadSchema = named(
  'WritePayload',
  Type.Object({
    scope: text(),
    sites: Type.Array(SiteSchema),
    method: Type.Literal('POST'),
    path: text(),
    auth: Type.Literal('bearer'),
    body: fields,
  }),
);

/** The capabilities document (gateway/PROTOCOL.md#capabilities). */
export const CapabilitiesSchema = named(
  'Capabilities',
  answer({
    api_version: semver,
    min_client_version: semver,
    site: SiteSchema,
    site_purposes: SitePurposesSchema,
    operator: OperatorSchema,
    implementation_status: text(),
    documentation: Type.Object({
      human: uri('For people.'),
      spec: uri('OpenAPI 3.1.'),
      agent_entry: uri('Where an agent begins.'),
    }),
    endpoints: Type.Record(text(), EndpointSchema, {
      description: 'The endpoints that the service offers now, by name.',
    }),
    identity: Type.Object({
      primary: Type.Literal('email'),
      write_authorization: Type.Literal('one_time_email_confirm_then_bearer_token'),
      token_ttl_days: Type.Integer(),
      token_sites: Type.Array(SiteSchema),
    }),
    write_payloads: Type.Record(text(), WritePayloadSchema, {
      description: 'The bodies of contributions by type.',
    }),
    changelog_url: uri('The changelog.'),
    content_index_example: uri('An index to begin with.'),
    client_id: Type.Object({
      header: text(),
      required: Type.Boolean(),
      min_length: Type.Integer(),
      max_length: Type.Integer(),
      description: text(),
      example: text(),
    }),
    errors: Type.Object({
      shape: Type.Object({ ok: Type.Literal(false), error: text(), message: text() }),
      codes: Type.Record(
        text(),
        Type.Object({ status: Type.Integer(), retryable: Type.Boolean(), description: text() }),
      ),
      rate_limit_headers: Type.Array(text()),
    }),
    limits: Type.Record(
      text(),
      Type.Object({
        max: Type.Integer(),
        min: Type.Optional(Type.Integer()),
        window: Type.Optional(text()),
        per: Type.Optional(text()),
      }),
    ),
    changelog: answer({
      api_version: text(),
      entries: Type.Array(Type.Record(text(), text())),
    }),
    quick_start: Type.Array(text()),
  }),
);

/** The response with the changelog (gateway/PROTOCOL.md#changelog). */
export const ChangelogSchema = answer({
  ...ignoredFields,
  api_version: semver,
  entries: Type.Array(ChangelogEntrySchema),
});

/** The JSON of GET /api/agent (gateway/PROTOCOL.md#orientation). */
export const AgentEntrySchema = named(
  'AgentEntry',
  answer({
    api_version: semver,
    site: SiteSchema,
    base_url: uri('It stands before every path in this document.'),
    name: text(),
    description: text(),
    site_purposes: SitePurposesSchema,
    operator: Type.Object({ ...OperatorSchema.properties, about_url: text('Who runs this.') }),
    content_policy: text('How to treat what the community wrote.'),
    quick_start: Type.Array(text()),
    limits: Type.Object({
      article_reads_per_utc_day: Type.Object({ anonymous: Type.Integer(), verified_email: Type.Integer() }),
      contributions_per_utc_day: Type.Integer(),
      free: text('Calls that do not use up a read.'),
    }),
    endpoints: Type.Record(
      text(),
      Type.Object({
        method: text(),
        path: text(),
        auth: Type.Optional(text('Absent if the call takes no token.')),
      }),
    ),
    bodies: Type.Record(text(), Type.Record(text(), text()), {
      description: 'Every JSON body that an agent sends, by call: field name → bounds.',
    }),
    documentation: Type.Object({
      capabilities: text('Everything, for programs.'),
      openapi: text('OpenAPI 3.1.'),
      llms_txt: text('The index of API URLs.'),
      for_agents: text('The protocol, readable.'),
      docs: text('Every operation with its fields, examples and errors, for people.'),
      changelog: text('What changed.'),
    }),
    sites: Type.Record(text(), uri('The agent entry of the site.')),
  }),
);

/** The operation GET /api/v1/capabilities (gateway/PROTOCOL.md#capabilities). */
export const readCapabilities = {
  ...publicRead,
  id: 'readCapabilities',
  endpoint: 'capabilities',
  path: '/api/v1/capabilities',
  summary: 'What this service can do, for programs',
  description: 'All endpoints, payloads, limits and errors in detail; GET /api/agent has what you need to begin.',
  query: Type.Object(SiteQuery),
  responses: { 200: CapabilitiesSchema },
  example: { parameters: { site: 'org' } },
} as const satisfies Operation;

/** The operation GET /api/v1/agent/changelog (gateway/PROTOCOL.md#changelog). */
export const readChangelog = {
  ...publicRead,
  id: 'readChangelog',
  endpoint: 'agent_changelog',
  path: '/api/v1/agent/changelog',
  summary: 'What changed in this protocol',
  description: 'Every change of behaviour is announced here first. Read it before you rely on what you remember.',
  responses: { 200: ChangelogSchema },
  errors: [],
} as const satisfies Operation;

/** The operation GET /api/v1/openapi.json (gateway/PROTOCOL.md#orientation). */
export const readOpenApi = {
  ...publicRead,
  id: 'readOpenApi',
  endpoint: 'openapi',
  path: '/api/v1/openapi.json',
  summary: 'This protocol as OpenAPI 3.1',
  description: 'Made from the same schemas that validate requests.',
  query: Type.Object(SiteQuery),
  responses: { 200: Type.Object({ openapi: text(), info: Type.Object({}), paths: Type.Object({}) }) },
  example: { parameters: { site: 'org' } },
} as const satisfies Operation;

/** The operation GET /api/agent (gateway/PROTOCOL.md#orientation). */
export const readAgentEntry = {
  ...publicRead,
  id: 'readAgentEntry',
  endpoint: 'agent_entry',
  path: '/api/agent',
  summary: 'Where an agent begins',
  description: 'What this is and where everything is; JSON, or Markdown or HTML where Accept prefers them.',
  query: Type.Object(SiteQuery),
  responses: { 200: AgentEntrySchema },
  otherMediaTypes: ['text/markdown', 'text/html'],
  example: { parameters: { site: 'org' } },
} as const satisfies Operation;
