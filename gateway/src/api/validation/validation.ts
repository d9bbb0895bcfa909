import { KnowledgeError } from '@knowledge/runtime';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { type Keywords, keywordsOf } from '../../protocol/operation.js';
import { faultMessage } from './fault-message.js';

/**
 * Registers the validation of requests, which reports every failing field (gateway/PROTOCOL.md#validation) and coerces
 * no values (SECURITY.md#http-edge). Whole numbers in a query must consist of digits. Bodies are cut to their bounds
 * first, so that no body costs much time.
 */
export function registerValidation(app: FastifyInstance): void {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    coerceTypes: false,
    useDefaults: true,
    strict: false,
    validateFormats: true,
    // Validates a `oneOf` only by the schema that its field chooses, so that messages name real faults.
    discriminator: true,
  });
  formatsPlugin.default(ajv, ['date-time', 'uri', 'uuid']);
  const compile: FastifySchemaCompiler<Record<string, unknown>> = ({ schema, httpPart }) => {
    const validate = ajv.compile(schema);
    const numbers = httpPart === 'querystring' ? integersOf(schema) : [];
    return (data: Record<string, unknown>) => {
      for (const name of numbers) {
        const value = data[name];
        if (typeof value === 'string' && /^\d{1,9}$/.test(value)) data[name] = Number(value);
      }
      const cutFields = httpPart === 'body' ? cutToBounds(data, schema as TSchema) : 0;
      if (httpPart === 'body') dropNulls(data, schema as TSchema);
      if (validate(data)) return { value: data };
      const message = faultMessage(validate.errors ?? [], {
        part: httpPart,
        schema: schema as TSchema,
        data,
        cutFields,
      });
      // Fastify gives null for a body that is not there.
      const isMissing = httpPart === 'body' && data === null;
      return { error: new KnowledgeError(isMissing ? 'invalid_body' : 'validation_error', message) };
    };
  };
  app.setValidatorCompiler(compile as FastifySchemaCompiler<unknown>);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

// Removes optional fields that are null: they mean the same as absent fields (gateway/PROTOCOL.md#validation).
function dropNulls(data: unknown, schema: TSchema) {
  if (typeof data !== 'object' || data === null) return;
  const body = data as Record<string, unknown>;
  const { properties = {}, required = [] } = chosenBy(body, keywordsOf(schema));
  for (const name of Object.keys(properties)) {
    if (body[name] === null && !required.includes(name)) delete body[name];
  }
}

function integersOf(schema: unknown) {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
}

/** Only this number of unknown fields stays in the data, for the message. The rest is counted. */
const maxUnknown = 20;

/**
 * Cuts overlong lists, and removes all but a few unknown fields; returns the number of removed fields. Validating a list
 * of 20,000 unique items would take seconds. A valid body does not change, and an invalid one stays invalid.
 */
function cutToBounds(data: unknown, schema: TSchema): number {
  const keywords = keywordsOf(schema);
  if (Array.isArray(data)) {
    const { maxItems, items } = keywords;
    if (maxItems === undefined || items === undefined) return 0;
    data.length = Math.min(data.length, maxItems + 1);
    return data.reduce((cut: number, item: unknown) => cut + cutToBounds(item, items), 0);
  }
  if (typeof data !== 'object' || data === null) return 0;
  const body = data as Record<string, unknown>;
  const { properties = {}, additionalProperties } = chosenBy(body, keywords);
  const inside = Object.entries(properties).map(([name, property]) => cutToBounds(body[name], property));
  const unknown =
    additionalProperties === false ? Object.keys(body).filter((name) => !Object.hasOwn(properties, name)) : [];
  for (const name of unknown.slice(maxUnknown)) delete body[name];
  return Math.max(0, unknown.length - maxUnknown) + inside.reduce((sum, cut) => sum + cut, 0);
}

/** Finds the schema that applies to a body. In a `oneOf`, the value of one field chooses it. */
function chosenBy(body: Readonly<Record<string, unknown>>, schema: Keywords) {
  const field = schema.discriminator?.propertyName;
  if (field === undefined) return schema;
  const choices = schema.oneOf?.map(keywordsOf) ?? [];
  return choices.find(({ properties }) => keywordsOf(properties?.[field] ?? {}).const === body[field]) ?? {};
}
