import type { TSchema } from 'typebox';
import { type Keywords, keywordsOf } from '../../protocol/keywords.js';

/** Only this number of unknown fields stays in the data, for the message. The rest is counted. */
const maxUnknown = 20;

/**
 * Cuts overlong lists, and removes all but a few unknown fields; returns the number of removed fields. Validating a list
 * of 20,000 unique items would take seconds. A valid body does not change, and an invalid one stays invalid.
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

/** Finds the schema that applies to a body. In a `oneOf`, the value of one field chooses it. */
export function chosenBy(body: Readonly<Record<string, unknown>>, schema: Keywords): Keywords {
  const field = schema.discriminator?.propertyName;
  if (field === undefined) return schema;
  const choices = schema.oneOf?.map(keywordsOf) ?? [];
  return choices.find(({ properties }) => keywordsOf(properties?.[field] ?? {}).const === body[field]) ?? {};
}
