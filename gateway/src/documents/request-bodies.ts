import { scopes } from '@knowledge/runtime/product';
import { authorize, exchangeToken, submitContribution } from '../protocol/write-operations.js';
import { AuthorizeBodySchema, TokenExchangeBodySchema } from '../protocol/write-schemas.js';
import { type Field, fieldsOf } from './fields.js';
import { writePayloads } from './write-payloads.js';

/** Field names of a body, each with its bounds in a few words. */
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

// One call accepts three bodies, which differ in `type`.
function kindOf({ type }: Readonly<Record<string, Field>>): string {
  return type?.value === undefined ? '' : ` (${type.value})`;
}

function shortBody(fields: Readonly<Record<string, Field>>): ShortBody {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, `${boundsOf(field)}${field.required ? '' : ', optional'}`]),
  );
}

function boundsOf({ type, value, values, min_length: min = 0, max_length: max }: Field): string {
  if (value !== undefined) return value;
  if (values !== undefined) return values.join(' or ');
  if (type === 'array') return `of ${scopes.join(', ')}; default: all; [] only reads`;
  return min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`;
}
