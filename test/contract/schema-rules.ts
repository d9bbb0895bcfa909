import { isDeepStrictEqual } from 'node:util';

/** The validator and indexes of a collection that the database reports. */
export interface CollectionSchema {
  readonly validator: Rule;
  /** The indexes by name. */
  readonly indexes: Readonly<Record<string, Rule>>;
}

// biome-ignore lint/suspicious/noExplicitAny: rules are of every shape.
type Rule = Readonly<Record<string, any>>;
type Schema = Readonly<Record<string, CollectionSchema>>;

/**
 * Lists the reasons why the previous release, with schema `before`, could not run on schema `now`. It runs on this schema
 * during an upgrade and after a rollback. So the schema must allow its writes and have its indexes.
 */
export function incompatibilities(before: Schema, now: Schema): string[] {
  return Object.entries(before).flatMap(([name, old]) => {
    const current = now[name];
    if (current === undefined) return [`${name} is gone`];
    return [
      ...narrowings(name, old.validator['$jsonSchema'] ?? {}, current.validator['$jsonSchema'] ?? {}),
      ...Object.entries(old.indexes).flatMap(([index, { key }]) =>
        isDeepStrictEqual(current.indexes[index]?.['key'], key) ? [] : [`${name}: the index ${index} is gone or other`],
      ),
      ...Object.entries(current.indexes).flatMap(([index, { unique }]) =>
        unique === true && old.indexes[index]?.['unique'] !== true ? [`${name}: the index ${index} is unique now`] : [],
      ),
    ];
  });
}

/** Lists the values that `old` allows and `now` refuses, by path. */
function narrowings(path: string, old: Rule, now: Rule): string[] {
  const found: string[] = [];
  for (const [word, rule] of Object.entries(now)) {
    const was = old[word];
    if (isDeepStrictEqual(was, rule)) continue;
    if (word === 'properties') {
      // The previous release never wrote this field, so any rule for it is safe.
      for (const [field, inner] of Object.entries(rule as Rule)) {
        if (was?.[field] !== undefined) found.push(...narrowings(`${path}.${field}`, was[field], inner));
      }
    } else if (word === 'items') found.push(...narrowings(`${path}[]`, was ?? {}, rule));
    else if (word === 'anyOf') {
      // One alternative that allows all of it is enough.
      const isAllowed = (rule as Rule[]).some((alternative) => narrowings(path, old, alternative).length === 0);
      if (!isAllowed) found.push(`${path}: anyOf is narrower`);
    } else if (!isWider(word, was, rule)) found.push(`${path}: ${word} is narrower`);
  }
  if (now['additionalProperties'] === false) {
    for (const field of Object.keys(old['properties'] ?? {})) {
      if (now['properties']?.[field] === undefined) found.push(`${path}.${field} is not allowed any more`);
    }
  }
  return found;
}

/** Whether a keyword still allows all previous values. An unknown keyword must stay the same. */
function isWider(word: string, was: unknown, rule: unknown): boolean {
  const all = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
  if (word === 'required') return all(rule).every((field) => all(was ?? []).includes(field));
  if (was === undefined) return false;
  if (word === 'enum' || word === 'bsonType') return all(was).every((value) => all(rule).includes(value));
  if (word.startsWith('max')) return Number(rule) >= Number(was);
  if (word.startsWith('min')) return Number(rule) <= Number(was);
  return false;
}
