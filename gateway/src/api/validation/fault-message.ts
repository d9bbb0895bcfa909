import { codePoints } from '@knowledge/runtime';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { shownName } from '../../http/body-parsing.js';
import { type Keywords, keywordsOf } from '../../protocol/operation.js';
import { patternWords } from '../../protocol/patterns.js';
import { didYouMean } from '../unknown-names.js';

/** The part of a request that failed validation, such as its body or query. */
export interface Validated {
  readonly part: string | undefined;
  readonly schema: TSchema;
  readonly data: unknown;
  /** The number of unknown fields that were removed before validation. */
  readonly cutFields: number;
}

/** The largest number of failing fields that a message names. */
const maxNamed = 10;

/**
 * Describes each failing field in one clause: the name of the field, then its bound (gateway/PROTOCOL.md#validation).
 * If a field is unknown, the message also lists the known fields, so a caller can correct its request without the
 * documents.
 */
export function faultMessage(errors: readonly ErrorObject[], validated: Validated): string {
  if (validated.part === 'body' && !isObject(validated.data)) return notAnObject(validated);
  // A body may have thousands of faults, so texts are made only for the faults that the message names.
  const faults = new Map<string, () => string>();
  for (const error of errors) setOnce(faults, fieldOf(error), () => boundOf(error, validated));
  for (const { name, bound } of unknownWithoutSchema(errors, validated)) setOnce(faults, name, bound);
  const named = [...faults].slice(0, maxNamed).map(([name, bound]) => `${name}: ${bound()}`);
  const more = faults.size + validated.cutFields - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.${knownFields(errors, validated)}`;
}

interface Fault {
  readonly name: string;
  readonly bound: () => string;
}

function setOnce(faults: Map<string, () => string>, name: string, bound: () => string) {
  if (!faults.has(name)) faults.set(name, bound);
}

function notAnObject({ schema, data }: Validated) {
  const [first] = Object.keys(keywordsOf(schemas(schema)[0] ?? schema).properties ?? {});
  const example = first === undefined ? '{ … }' : `{"${first}": …}`;
  const isJson = typeof data === 'string' && /^\s*[{[]/.test(data);
  if (data === null) return `The request body must be a JSON object, ${example}; it is missing.`;
  const sent = isJson ? 'a string that holds JSON; send the object itself, encoded once' : kindOf(data);
  return `The request body must be a JSON object, ${example}; you sent ${sent}.`;
}

function fieldOf({ instancePath, keyword, params }: ErrorObject) {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const own =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : keyword === 'discriminator'
          ? params['tag']
          : '';
  return shownName([path, String(own)].filter((part) => part !== '').join('.'));
}

function boundOf({ keyword, params, message, parentSchema, data }: ErrorObject, { part, schema }: Validated) {
  const bounds = keywordsOf((parentSchema ?? {}) as TSchema);
  switch (keyword) {
    case 'discriminator':
      return `must be one of ${valuesOf(schema, String(params['tag'])).join(', ')}`;
    case 'required': {
      const values = valuesOf(schema, String(params['missingProperty']));
      return values.length === 0 ? 'is required' : `is required, one of ${values.join(', ')}`;
    }
    case 'additionalProperties':
      return unknownField(String(params['additionalProperty']), data, Object.keys(bounds.properties ?? {}));
    case 'minLength':
      return params['limit'] === 1
        ? 'must not be empty'
        : `must have at least ${params['limit']} characters; it has ${lengthOf(data)}`;
    case 'maxLength':
      return `must have at most ${params['limit']} characters; it has ${lengthOf(data)}`;
    case 'maxItems':
      return `must have at most ${params['limit']} items`;
    case 'minimum':
    case 'maximum':
      return range(bounds) ?? `must be at ${keyword === 'minimum' ? 'least' : 'most'} ${params['limit']}`;
    case 'type': {
      const type = String(params['type']);
      const words = (type === 'integer' && range(bounds)) || `must be ${typeWords[type] ?? `a ${type}`}`;
      return part === 'body' ? `${words}; you sent ${kindOf(data)}` : `${words}${givenTwice(data)}`;
    }
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}${part === 'body' ? '' : givenTwice(data)}`;
    case 'uniqueItems':
      return 'must not name anything twice';
    case 'format':
      return params['format'] === 'date-time'
        ? `must be a time like 2026-06-01T09:00:00Z${part !== 'body' && / [\d:]+$/.test(String(data)) ? '; a + stands as %2B in a URL' : ''}`
        : `must be a ${params['format']}`;
    case 'pattern':
      return patternWords[String(params['pattern'])]?.(String(data)) ?? message ?? 'is not valid';
    default:
      return message ?? 'is not valid';
  }
}

const typeWords: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  array: 'an array',
  object: 'a JSON object',
};

function range({ minimum, maximum }: Keywords) {
  if (minimum === undefined || maximum === undefined) return undefined;
  return `must be a whole number from ${minimum} to ${maximum}`;
}

function lengthOf(data: unknown) {
  return typeof data === 'string' ? codePoints(data) : 0;
}

function kindOf(data: unknown) {
  if (data === null) return 'null';
  if (Array.isArray(data)) return 'an array';
  return typeof data === 'object' ? 'an object' : `a ${typeof data}`;
}

// Fastify turns a parameter that was sent twice into an array.
function givenTwice(data: unknown): string {
  return Array.isArray(data) ? ', given once' : '';
}

// If the field that chooses the schema is missing, ajv validates nothing. This finds fields that are in no schema.
function unknownWithoutSchema(
  errors: readonly ErrorObject[],
  { schema, data }: Pick<Validated, 'schema' | 'data'>,
): Fault[] {
  const tag = keywordsOf(schema).discriminator?.propertyName;
  if (tag === undefined || !isObject(data) || errors.some(({ keyword }) => keyword === 'additionalProperties'))
    return [];
  if (!errors.some((error) => error.instancePath === '' && fieldOf(error) === tag)) return [];
  const known = allFields(schema);
  const values = valuesOf(schema, tag);
  return Object.entries(data)
    .filter(([name]) => !known.includes(name))
    .map(([name, value]) => ({
      name: shownName(name),
      bound: () =>
        values.includes(String(value))
          ? `is not a known field here (did you mean ${tag}?)`
          : unknownField(name, data, known),
    }));
}

function unknownField(name: string, owner: unknown, known: readonly string[]) {
  const value = isObject(owner) ? owner[name] : undefined;
  if (isObject(value)) return 'is not a known field here (put the fields themselves at the top level of the body)';
  return `is not a known field here${didYouMean(name, known)}`;
}

function knownFields(errors: readonly ErrorObject[], { part, schema, data }: Validated) {
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties');
  if (part !== 'body') return '';
  if (unknown === undefined) {
    return unknownWithoutSchema(errors, { schema, data }).length === 0
      ? ''
      : ` Known fields: ${allFields(schema).join(', ')}.`;
  }
  const { properties = {} } = keywordsOf((unknown.parentSchema ?? {}) as TSchema);
  const type = keywordsOf(properties['type'] ?? {}).const;
  return ` Known fields${typeof type === 'string' ? ` of ${type}` : ''}: ${Object.keys(properties).join(', ')}.`;
}

function schemas(schema: TSchema) {
  return keywordsOf(schema).oneOf ?? [schema];
}

function allFields(schema: TSchema) {
  return [...new Set(schemas(schema).flatMap((each) => Object.keys(keywordsOf(each).properties ?? {})))];
}

/** Returns the allowed values of the field that chooses the schema; an empty list for any other field. */
function valuesOf(schema: TSchema, field: string) {
  if (keywordsOf(schema).discriminator?.propertyName !== field) return [];
  return schemas(schema).map((choice) => String(keywordsOf(keywordsOf(choice).properties?.[field] ?? {}).const));
}

function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
