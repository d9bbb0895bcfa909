import type { ErrorCode } from '@knowledge/runtime';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { FieldSchema } from '../protocol/document-operations.js';
import { commonErrors, errorsOf, isConditional, keywordsOf, type Operation, typeOf } from '../protocol/operation.js';
import { namedSchemas } from '../protocol/schemas.js';

/** A parameter or a field of a body, as the capabilities document describes it. */
export type Field = Static<typeof FieldSchema>;

/** Describes the properties of a schema for the capabilities document. */
export function fieldsOf(schema: TObject): Record<string, Field> {
  const required = keywordsOf(schema).required ?? [];
  return mapValues(schema.properties, (property, name) => fieldOf(property, required.includes(name)));
}

/** An object with the same names, and what `map` makes of each value. */
export function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}

/** The request headers of an operation by name, such as `X-Agent-Client-Id`. */
export function headersOf({ auth, headers }: Operation): Record<string, Field> {
  const own = Object.entries(headers === undefined ? {} : fieldsOf(headers));
  return {
    ...(auth === 'none' ? {} : { Authorization: authorization(auth === 'bearer') }),
    ...Object.fromEntries(own.map(([name, field]) => [headerName(name), field])),
  };
}

/** Turns `x-agent-client-id` into `X-Agent-Client-Id`. */
function headerName(name: string) {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

function fieldOf(schema: TSchema, required: boolean): Field {
  const { enum: values, const: value, default: preset, description, ...bounds } = keywordsOf(schema);
  const { minLength, maxLength, minimum, maximum } = bounds;
  return {
    required,
    type: typeOf(schema),
    ...(minLength !== undefined && { min_length: minLength }),
    ...(maxLength !== undefined && { max_length: maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(values !== undefined && { values: values.map(String) }),
    ...(value !== undefined && { value: String(value) }),
    ...(preset !== undefined && { default: preset }),
    ...(description !== undefined && { description }),
  };
}

function authorization(required: boolean): Field {
  const more = required ? '' : ' Without it the caller is anonymous.';
  return { required, type: 'string', description: `Bearer <write_token>.${more}` };
}

/** A field as the guide and `/docs` show it. Facts and meaning are Markdown. */
export interface FieldLine {
  readonly name: string;
  readonly facts: readonly string[];
  readonly meaning?: string | undefined;
}

/** A parameter of an operation, with its place in the request. */
interface Parameter {
  readonly where: 'path' | 'query' | 'header';
  /** The name by which examples call it: of a header, in lower case. */
  readonly key: string;
  readonly name: string;
  readonly schema: TSchema;
  readonly required: boolean;
}

/** The parameters of an operation, without its token, in the order of the documents. */
export function parametersOf(operation: Operation): Parameter[] {
  const { params, query, headers } = operation;
  const from = (where: Parameter['where'], object: TSchema = {}): Parameter[] => {
    const { properties = {}, required = [] } = keywordsOf(object);
    return Object.entries(properties).map(([key, schema]) => {
      const name = where === 'header' ? headerName(key) : key;
      return { where, key, name, schema, required: required.includes(key) };
    });
  };
  return [
    ...from('path', params),
    ...from('query', query),
    ...from('header', headers),
    ...(isConditional(operation) ? from('header', conditional) : []),
  ];
}

const conditional = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({ description: 'An ETag of yours; if the bytes are still the same, the response is 304.' }),
  ),
});

/** Returns Markdown for a named schema: its name, or a link to its description. */
export type NameSchema = (schema: TSchema, name: string) => string;

/** Says in words whether a field is required. */
type Presence = (required: boolean) => readonly string[];

/** Requests mark required fields. */
export const inRequest: Presence = (required) => (required ? ['**required**'] : []);

/** Responses mark optional fields. */
export const inResponse: Presence = (required) => (required ? [] : ['may be absent']);

/** The parameters of an operation, without its token, which `accessWords` describes. */
export function parameterLines(operation: Operation, nameSchema: NameSchema) {
  return parametersOf(operation).map(({ where, name, schema, required }) => ({
    ...fieldLine(name, schema, inRequest(required), nameSchema),
    where,
  }));
}

/** The fields of an object. A field of a nested object is named `outer.inner`. */
export function fieldLines(schema: TSchema, presence: Presence, nameSchema: NameSchema, prefix = ''): FieldLine[] {
  const { properties = {}, required = [] } = keywordsOf(schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const { within, suffix } = childrenOf(property);
    return [
      fieldLine(prefix + name, property, presence(required.includes(name)), nameSchema),
      ...fieldLines(within, presence, nameSchema, `${prefix}${name}${suffix}.`),
    ];
  });
}

function fieldLine(name: string, schema: TSchema, presence: readonly string[], nameSchema: NameSchema): FieldLine {
  const { description, default: preset } = keywordsOf(schema);
  const usual = typeof preset === 'string' || typeof preset === 'number' ? [`default ${preset}`] : [];
  return { name, facts: [typeWords(schema, nameSchema), ...presence, ...usual], meaning: description };
}

/** Sentences about who may call an operation and its name in the capabilities. */
export function accessWords({ auth, scopes = [], endpoint }: Operation): string {
  const named = auth === 'bearer' ? 'Scopes, one for each type' : 'Scopes that can be asked for';
  return [
    access[auth],
    ...(scopes.length === 0 ? [] : [`${named}: ${scopes.map(asCode).join(', ')}.`]),
    ...(endpoint === undefined ? [] : [`In the capabilities it is ${asCode(endpoint)}.`]),
  ].join(' ');
}

const access = {
  none: 'Needs no token.',
  optional_bearer: 'A Bearer token is optional; without one the caller is anonymous.',
  bearer: 'Needs a Bearer token.',
} as const;

/** The errors of an operation, without those that every operation has. */
export function ownErrors(operation: Operation): readonly ErrorCode[] {
  return errorsOf(operation).filter((code) => !commonErrors.includes(code));
}

/** The schema of the objects inside a field, and what follows the field's name before theirs: `[]` or `.*`. */
function childrenOf(schema: TSchema): { within: TSchema; suffix: string } {
  const { items, patternProperties } = keywordsOf(schema);
  const record = patternProperties?.['^.*$'];
  const [within, suffix] = items ? [items, '[]'] : record ? [record, '.*'] : [schema, ''];
  return namedSchemas.has(within) ? { within: {}, suffix } : { within, suffix };
}

function typeWords(schema: TSchema, nameSchema: NameSchema): string {
  const name = namedSchemas.get(schema);
  if (name !== undefined) return nameSchema(schema, name);
  const { enum: values, const: value, anyOf, items, patternProperties, ...rest } = keywordsOf(schema);
  if (value !== undefined) return asCode(String(value));
  if (values !== undefined) return choiceOf(values.map(asCode));
  if (anyOf !== undefined) return anyOf.map((each) => typeWords(each, nameSchema)).reduce(either);
  if (items !== undefined) return `list of ${typeWords(items, nameSchema)}`;
  const record = patternProperties?.['^.*$'];
  if (record !== undefined) return `by name: ${typeWords(record, nameSchema)}`;
  const { format, minLength, maxLength, minimum, maximum } = rest as typeof rest & { format?: string };
  const length = bounds(minLength, maxLength);
  return [typeOf(schema), format, length && `${length} characters`, bounds(minimum, maximum)]
    .filter(Boolean)
    .join(', ');
}

function either(before: string, after: string) {
  return before.includes(',') ? `${before}, or ${after}` : `${before} or ${after}`;
}

function choiceOf(words: readonly string[]) {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

function bounds(min: number | undefined, max: number | undefined) {
  if (max === undefined) return min === undefined ? '' : `${min} or more`;
  return min === undefined ? `at most ${max}` : `${min} to ${max}`;
}

function asCode(text: string) {
  return `\`${text}\``;
}
