/**
 * The bounds of what is sent. Lengths of texts count code points: the minimum applies to the trimmed text, the maximum to
 * the text as sent.
 */
export const bounds = {
  email: { max: 254 },
  agentName: { min: 1, max: 60 },
  purpose: { min: 0, max: 500 },
  title: { min: 4, max: 160 },
  body: { min: 10, max: 8_000 },
  name: { min: 0, max: 120 },
  promptId: { min: 0, max: 120 },
  idempotencyKey: { min: 1, max: 128 },
  /** The `Idempotency-Key` of a request for access. Who knows it can get the token. */
  authorizationKey: { min: 22, max: 128 },
  /** The words of a search. */
  query: { max: 500 },
  slug: { min: 1, max: 80 },
  tag: { min: 1, max: 40 },
  /** The title of an article or a catalog object. */
  articleTitle: { min: 1, max: 200 },
  summary: { max: 500 },
  /** The question of a prompt. */
  question: { min: 10, max: 500 },
  /** The reason of a change. */
  reason: { min: 0, max: 2_000 },
  /** How many groups of synonyms one call puts. The largest have less than a request may have. */
  synonymsAtOnce: { min: 1, max: 50 },
  clientId: { min: 1, max: 120 },
  /** The largest size, in bytes, of the body of an article or object. */
  articleBytes: 200_000,
  /** How many tags an article has at most. */
  tags: 12,
  /** The entries on a page of a list. */
  pageSize: { min: 1, max: 200, default: 50 },
  /** The hits in one response of a search, and the passages that a hit shows. */
  searchSize: { min: 1, max: 50, default: 10 },
  passages: { min: 1, max: 3, default: 1 },
  /** How many contributions one decision takes. */
  decidedAtOnce: 1_000,
  /** How many authorizations one call names. */
  authorizationIds: 200,
} as const;

/** Whether a text is `a-z0-9` and single hyphens between them, as the name of an article in its URL is. */
export function isSlug(text: string): boolean {
  return text.length <= bounds.slug.max && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
}

/** Whether a text is a UUID in lower case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
