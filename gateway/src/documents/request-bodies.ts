import { type ContributionType, contributionTypes, kinds, scopeOf, scopes } from '@knowledge/runtime/product';
import type { Static } from 'typebox';
import { listContent } from '../protocol/articles.js';
import { AuthorizeBodySchema, authorize } from '../protocol/authorization.js';
import { readAgentEntry, readCapabilities, type WritePayloadSchema } from '../protocol/document-operations.js';
import { listCurated } from '../protocol/highlights.js';
import { search } from '../protocol/search.js';
import { urlOf } from '../protocol/service-words.js';
import { contributionBodies, submitContribution } from '../protocol/submissions.js';
import { exchangeToken, TokenExchangeBodySchema } from '../protocol/tokens.js';
import { type Field, fieldsOf, mapValues } from './fields.js';
import type { SiteProfile } from './site-profile.js';

type WritePayload = Static<typeof WritePayloadSchema>;

/** The bodies of contributions by type (gateway/PROTOCOL.md#capabilities). */
export const writePayloads = Object.fromEntries(contributionTypes.map((type) => [type, payloadOf(type)])) as Record<
  ContributionType,
  WritePayload
>;

function payloadOf(type: ContributionType): WritePayload {
  const { sites, answersPrompt, hasPurpose } = kinds[type];
  const [site, ...others] = sites;
  return {
    method: 'POST',
    path: submitContribution.path,
    auth: 'bearer',
    scope: scopeOf(type),
    sites: [...sites],
    body: addFacts(fieldsOf(contributionBodies[type]), {
      site: {
        ...(others.length === 0 && { value: site }),
        default: hasPurpose ? 'that of about, else the site of the request' : 'the site of the request',
      },
      ...(answersPrompt && { prompt_id: { default: 'the active community prompt' } }),
    }),
  };
}

// Adds what a schema cannot say: defaults that depend on the request, and which types only one site accepts.
function addFacts(fields: Record<string, Field>, more: Record<string, Partial<Field>>): Record<string, Field> {
  for (const [name, facts] of Object.entries(more)) {
    const known = fields[name];
    if (known === undefined) throw new TypeError(`There is no field ${name}.`);
    const { values, ...rest } = known;
    fields[name] = { ...rest, ...(facts.value === undefined && values !== undefined && { values }), ...facts };
  }
  return fields;
}

/** The fields of a body by name, each with its bounds in words. */
type ShortBody = Readonly<Record<string, string>>;

/** Short descriptions of all JSON request bodies by call, for the agent entry. */
export function requestBodies(): Record<string, ShortBody> {
  return Object.fromEntries(
    bodies.map(([{ method, path }, fields]) => [`${method} ${path}${kindOf(fields)}`, shortBody(fields)]),
  );
}

const bodies = [
  [authorize, fieldsOf(AuthorizeBodySchema)],
  [exchangeToken, fieldsOf(TokenExchangeBodySchema)],
  ...Object.values(writePayloads).map(({ body }) => [submitContribution, body] as const),
] as const;

// One call accepts a body of each type.
function kindOf({ type }: Readonly<Record<string, Field>>) {
  return type?.value === undefined ? '' : ` ${type.value}`;
}

function shortBody(fields: Readonly<Record<string, Field>>): ShortBody {
  return mapValues(fields, (field, name) => {
    const bounds = formats[name] ?? boundsOf(field);
    return `${bounds}${field.required ? '' : ', optional'}`;
  });
}

// A form says more than the length.
const formats: ShortBody = { language: 'BCP 47 tag', about: 'api_url', prompt_id: 'UUID' };

function boundsOf({ type, value, values, min_length: min = 0, max_length: max }: Field) {
  if (value !== undefined) return value;
  if (values !== undefined) return values.join('|');
  if (type === 'array') return `of ${scopes.join(', ')}; default all; [] only reads`;
  return min > 0 ? `${min} to ${max} characters` : `up to ${max} characters`;
}

/**
 * The recommended sequence of calls (gateway/PROTOCOL.md#orientation). A URL ends its step or stands before a space,
 * since programs find URLs in text. `bodies` names the place that has the bodies.
 */
export function quickStart(service: SiteProfile, bodies: string): string[] {
  const call = (operation: Parameters<typeof urlOf>[0]) => `${operation.method} ${urlOf(operation, service)}`;
  return [
    `Begin with every call and body: ${call(readAgentEntry)} (details: ${call(readCapabilities)} )`,
    `Search both sites: GET ${service.base}${search.path}?site=all&fields=brief&q={question}`,
    `Or list one: ${call(listContent)} or highlights: ${call(listCurated)}`,
    'GET the api_url of an entry with X-Agent-Client-Id: one read, in parts with &max_tokens=4000',
    `To write, send email and agent_name; your human confirms by mail: ${call(authorize)}`,
    `Get the token with device_code: ${call(exchangeToken)}`,
    `Send a body of ${bodies} with Authorization: Bearer <write_token>: ${call(submitContribution)}`,
  ];
}
