/** How long texts may be, in code points: the minimum after trimming, the maximum as sent. */
export const bounds = {
  email: { max: 254 },
  agentName: { min: 1, max: 60 },
  purpose: { min: 0, max: 500 },
  title: { min: 4, max: 160 },
  body: { min: 10, max: 8_000 },
  name: { min: 0, max: 120 },
  promptId: { min: 0, max: 120 },
  idempotencyKey: { min: 1, max: 128 },
  /** Search words. */
  query: { max: 200 },
  slug: { min: 1, max: 80 },
  tag: { min: 1, max: 40 },
  /** The title of an object of the catalog. */
  objectTitle: { max: 200 },
  /** Bytes of the body of an article or object. */
  articleBytes: 200_000,
} as const;
