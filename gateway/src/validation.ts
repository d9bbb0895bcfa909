import { KnowledgeError } from '@knowledge/runtime';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { chosenBy, cutToBounds } from './body-bounds.js';
import { keywordsOf } from './protocol/keywords.js';

/** How many failing fields a message names at the most. */
const maxNamed = 10;

/**
 * Validates without coercion (hardening.md H4), reports every failing field with its bound (protocol.md section 2), and
 * reads whole numbers of a query strictly: digits and nothing else. A body is cut to its bounds before, so that naming all
 * that fails costs little, whatever was sent.
 */
export function registerValidation(app: FastifyInstance): void {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    coerceTypes: false,
    useDefaults: true,
    strict: false,
    validateFormats: true,
    // A choice by the value of one field is judged by the chosen schema alone, so that messages name real faults.
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
      const cut = httpPart === 'body' ? cutToBounds(data, schema as TSchema) : 0;
      if (httpPart === 'body') dropNulls(data, schema as TSchema);
      if (validate(data)) return { value: data };
      return { error: new KnowledgeError('validation_error', describe(validate.errors ?? [], cut)) };
    };
  };
  app.setValidatorCompiler(compile as FastifySchemaCompiler<unknown>);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

// An optional field that is null is absent (protocol.md section 5.1).
function dropNulls(data: unknown, schema: TSchema): void {
  if (typeof data !== 'object' || data === null) return;
  const body = data as Record<string, unknown>;
  const { properties = {}, required = [] } = chosenBy(body, keywordsOf(schema));
  for (const name of Object.keys(properties)) {
    if (body[name] === null && !required.includes(name)) delete body[name];
  }
}

/** What failed, one clause a field: its name, then its bound; `unseen` more fields failed. */
function describe(errors: readonly ErrorObject[], unseen: number): string {
  const clauses = new Map<string, string>();
  for (const error of errors) {
    const name = fieldOf(error);
    if (!clauses.has(name)) clauses.set(name, `${name}: ${boundOf(error)}`);
  }
  const named = [...clauses.values()].slice(0, maxNamed);
  const more = clauses.size + unseen - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const own =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : keyword === 'discriminator'
          ? params['tag']
          : '';
  const name = [path, String(own)].filter((part) => part !== '').join('.');
  // A name that a stranger chose is shown short and printable.
  return name === '' ? 'body' : [...name.replace(/[^\x20-\x7e]/g, '?')].slice(0, 60).join('');
}

function boundOf({ keyword, params, message, parentSchema, data }: ErrorObject): string {
  switch (keyword) {
    case 'discriminator':
      return `must be one of ${choicesOf(parentSchema as TSchema, String(params['tag'])).join(', ')}`;
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field here';
    case 'minLength':
      return params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} characters`;
    case 'maxLength':
      return `must have at most ${params['limit']} characters`;
    case 'minimum':
      return `must be at least ${params['limit']}`;
    case 'maximum':
      return `must be at most ${params['limit']}`;
    case 'type':
      if (params['type'] === 'object') return 'must be a JSON object';
      return `must be ${article(String(params['type']))}${twice(data)}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}${twice(data)}`;
    case 'maxItems':
      return `must have at most ${params['limit']} items`;
    case 'uniqueItems':
      return 'must not name anything twice';
    case 'format':
      return params['format'] === 'date-time'
        ? 'must be a time like 2026-06-01T09:00:00Z'
        : `must be a ${params['format']}`;
    default:
      return message ?? 'is not valid';
  }
}

function article(type: string): string {
  return type === 'integer' ? 'a whole number' : type === 'array' || type === 'object' ? `an ${type}` : `a ${type}`;
}

// A parameter that was sent twice arrives as a list.
function twice(data: unknown): string {
  return Array.isArray(data) ? ', given once' : '';
}

function choicesOf(schema: TSchema, field: string): string[] {
  const choices = keywordsOf(schema).oneOf ?? [];
  return choices.map((choice) => String(keywordsOf(keywordsOf(choice).properties?.[field] ?? {}).const));
}

function integersOf(schema: unknown): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
}
