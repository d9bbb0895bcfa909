import type { TSchema } from 'typebox';
import { type Keywords, keywordsOf } from '../../protocol/keywords.js';

/** How many unknown fields are kept, to be named; all others are only counted. */
const maxUnknown = 20;

/**
 * Cuts a body that breaks its schema to what still shows every fault: one item more than a list may have, and a few unknown
 * fields. Otherwise validating a list of 20,000 items that must differ takes seconds. A valid body stays as it is. Returns how
 * many unknown fields were cut.
 */
export function cutToBounds(data: unknown, schema: TSchema): number {
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

/** The schema of an object. Of a choice by the value of one field, the schema that the body chose. */
export function chosenBy(body: Readonly<Record<string, unknown>>, schema: Keywords): Keywords {
  const field = schema.discriminator?.propertyName;
  if (field === undefined) return schema;
  const choices = schema.oneOf?.map(keywordsOf) ?? [];
  return choices.find(({ properties }) => keywordsOf(properties?.[field] ?? {}).const === body[field]) ?? {};
}
