import { BSON, type CreateIndexesOptions, type IndexDescription, type IndexDescriptionInfo } from 'mongodb';

/** A declared index. Its definition may change, but its name never does. */
export type IndexDeclaration = Omit<IndexDescription, 'name' | 'key'> & {
  name: string;
  key: Record<string, 1 | -1 | 'text' | 'hashed'>;
};

/** The difference between a declared index and the existing index of the same name. */
export type IndexDifference = 'none' | 'expiry' | 'definition';

/** Compares a declared index with the existing one. The server lists some defaults that the declaration leaves out. */
export function compareIndex(declared: IndexDeclaration, existing: IndexDescriptionInfo): IndexDifference {
  if (canonical(shapeOf(declared)) !== canonical(shapeOf(fromServer(existing)))) return 'definition';
  if (!collationMatches(declared.collation, existing.collation)) return 'definition';
  const { expireAfterSeconds: wanted } = declared;
  const present = existing.expireAfterSeconds;
  if (wanted === present) return 'none';
  // collMod can change a time to live, but it cannot add or remove one.
  return wanted === undefined || present === undefined ? 'definition' : 'expiry';
}

const compared = ['unique', 'sparse', 'partialFilterExpression', 'hidden', 'wildcardProjection'] as const;

function shapeOf(index: IndexDeclaration): unknown {
  const entries = Object.entries(index.key);
  const text = entries.filter(([, kind]) => kind === 'text').map(([field]) => field);
  const options = compared.map((name) => index[name] || null);
  const key = entries.filter(([, kind]) => kind !== 'text');
  if (text.length === 0) return { key, options };
  const weights = text.map((field) => [field, index.weights?.[field] ?? 1]).sort();
  const languages = [index.default_language ?? 'english', index.language_override ?? 'language'];
  return { key, options, weights, languages };
}

function fromServer(index: IndexDescriptionInfo): IndexDeclaration {
  const { weights } = index as { weights?: Record<string, number> };
  const plain = Object.entries(index.key).filter(([field]) => field !== '_fts' && field !== '_ftsx');
  const text = Object.keys(weights ?? {}).map((field) => [field, 'text']);
  return { ...(index as CreateIndexesOptions), name: index.name ?? '', key: Object.fromEntries([...plain, ...text]) };
}

// The server adds every default to a collation, so only declared fields are compared.
function collationMatches(declared: object | undefined, existing: object | undefined): boolean {
  if (declared === undefined) return existing === undefined;
  if (existing === undefined) return false;
  const present: Record<string, unknown> = { ...existing };
  return Object.entries(declared).every(([name, value]) => present[name] === value);
}

function canonical(value: unknown): string {
  return BSON.EJSON.stringify(value);
}
