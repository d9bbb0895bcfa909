/** The headers of a response that clients may cache (gateway/PROTOCOL.md#caching). */
export const cacheHeaders = {
  ETag: 'A validator of the response, weak for a part of an article and strong for all else; send it back in If-None-Match for a 304.',
  'Cache-Control': 'How long a response may be cached.',
} as const;

/** The headers of public responses, which are also sent compressed (gateway/PROTOCOL.md#compression). */
export const compressedHeaders = {
  ...cacheHeaders,
  Vary: 'Accept-Encoding. Where it takes br or gzip, Content-Encoding says which is sent; each form has its own ETag.',
} as const;

/** The headers of every counted read, also of a refused one (gateway/PROTOCOL.md#what-counts). */
export const quotaHeaders = {
  'X-RateLimit-Limit': 'Reads per UTC day, an integer.',
  'X-RateLimit-Remaining': 'Reads left, an integer.',
  'X-RateLimit-Reset': 'The next UTC midnight, Unix seconds.',
} as const;

/** The headers of the response to a contribution: accepted, replayed, or refused because of the daily limit. */
export const writeLimitHeaders = {
  'X-RateLimit-Limit': 'Contributions per UTC day for this mailbox, an integer.',
  'X-RateLimit-Remaining': 'Contributions left today, an integer.',
  'X-RateLimit-Reset': 'The next UTC midnight, Unix seconds.',
} as const;
