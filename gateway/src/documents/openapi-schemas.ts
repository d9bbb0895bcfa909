import type { TSchema } from 'typebox';
import type { Json } from '../protocol/example.js';
import { keywordsOf, typeOf } from '../protocol/operation.js';
import { namedSchemas } from '../protocol/schemas.js';
import { mapValues } from './fields.js';

/** Converts our schemas to OpenAPI, and collects those that have a name. */
export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

/** Creates a writer for one document. Schemas without a name are inlined. */
export function createSchemaWriter(names: ReadonlyMap<TSchema, string> = namedSchemas) {
  const components: Record<string, Json> = {};

  const write = (schema: TSchema, isRequest: boolean): Record<string, Json> => {
    const name = names.get(schema);
    if (name === undefined) return inFull(schema, isRequest);
    components[name] ??= inFull(schema, isRequest);
    return { $ref: refTo(name) };
  };

  const inFull = (schema: TSchema, isRequest: boolean): Record<string, Json> => {
    const {
      properties,
      patternProperties,
      required = [],
      items,
      anyOf,
      oneOf,
      discriminator,
      ...rest
    } = keywordsOf(schema);
    const each = (schemas: readonly TSchema[]): Json[] => schemas.map((one) => write(one, isRequest));
    const record = patternProperties?.['^.*$'];
    return {
      ...(rest.enum !== undefined && { type: typeOf(schema) }),
      ...(rest as Record<string, Json>),
      ...(required.length > 0 && { required }),
      ...(properties !== undefined && {
        properties: mapValues(properties, (property, name) => {
          const written = write(property, isRequest);
          return isRequest && !required.includes(name) ? nullable(written) : written;
        }),
      }),
      ...(record !== undefined && { additionalProperties: write(record, isRequest) }),
      ...(items !== undefined && { items: write(items, isRequest) }),
      ...(anyOf !== undefined && { anyOf: each(anyOf) }),
      ...(oneOf !== undefined && { oneOf: each(oneOf) }),
      ...(discriminator !== undefined && {
        discriminator: { ...discriminator, mapping: choices(oneOf ?? [], discriminator.propertyName) },
      }),
    };
  };

  return {
    /** Converts a schema of a response or parameter. */
    response: (schema: TSchema) => write(schema, false),
    /** Converts a schema of a request body, in which an optional field may also be null. */
    request: (schema: TSchema) => write(schema, true),
    /** The named schemas that were used so far, for `components`. */
    components,
  };
}

function refTo(name: string) {
  return `#/components/schemas/${name}`;
}

function nullable(schema: Record<string, Json>): Json {
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }), ...rest };
}

// For the `discriminator` of OpenAPI: maps each value of the field to its schema.
function choices(schemas: readonly TSchema[], field: string): Json {
  return Object.fromEntries(
    schemas.map((schema) => {
      const value = keywordsOf(keywordsOf(schema).properties?.[field] ?? {}).const;
      return [String(value), refTo(namedSchemas.get(schema) ?? '')];
    }),
  );
}
