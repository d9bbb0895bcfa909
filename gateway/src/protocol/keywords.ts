import type { TSchema } from 'typebox';

/** The keywords of a JSON schema that the documents show. */
export interface Keywords {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
  readonly default?: unknown;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly maxItems?: number;
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly TSchema[];
  readonly oneOf?: readonly TSchema[];
  readonly discriminator?: { readonly propertyName: string };
}

export function keywordsOf(schema: TSchema): Keywords {
  return schema as Keywords;
}

/** Returns the JSON type of a schema. If it has no `type` keyword, this is the type of its values. */
export function typeOf(schema: TSchema): string {
  const { type, enum: values, const: value } = keywordsOf(schema);
  const example = value ?? values?.[0];
  return type ?? (example === undefined ? 'any' : typeof example);
}
