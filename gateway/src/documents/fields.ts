import type { Static, TObject, TSchema } from 'typebox';
import type { FieldSchema } from '../protocol/document-schemas.js';
import { keywordsOf, typeOf } from '../protocol/keywords.js';
import type { Operation } from '../protocol/operation.js';

/** A parameter or a field of a body, as the capabilities document describes it. */
export type Field = Static<typeof FieldSchema>;

/** Describes the properties of a schema for the capabilities document. */
export function fieldsOf(schema: TObject): Record<string, Field> {
  const required = keywordsOf(schema).required ?? [];
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, fieldOf(property, required.includes(name))]),
  );
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
export function headerName(name: string): string {
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
  const more = required ? '' : ' Without it the reader is anonymous.';
  return { required, type: 'string', description: `Bearer <write_token>.${more}` };
}
