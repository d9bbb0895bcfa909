import { httpLimits } from '@knowledge/runtime/http';
import { bounds, rules } from '@knowledge/runtime/product';

/** Every bound of the protocol. Lengths of texts count code points. */
export const limits = {
  ...httpLimits,
  ...rules,
  ...bounds,
  requestId: { min: 1, max: 128 },
  /** The requests a minute of one mailbox for the list of its contributions. */
  ownListsPerMinute: 120,
  cursor: { min: 1, max: 1024 },
  language: { max: 35 },
  /** The URL of the text that an inquiry is about. */
  about: { min: 1, max: 500 },
  /** The tokens that a reader may ask for as one part of an article. */
  maxTokens: { min: 200, max: 50_000 },
  /** The anchor of a heading, which is as long as the heading. */
  section: { min: 1, max: 1000 },
  continuation: { min: 1, max: 4096 },
  /** The largest number of headings in an outline, and the length of a heading there. */
  outlineSections: 500,
  headingShown: 200,
  /** The largest number of JSON-RPC messages in one batch to /mcp. */
  batchMessages: 10,
  /** The bytes of a tool's answer, and the tokens of a part of a longer article. Common clients cut at 25,000 tokens. */
  toolAnswer: 80_000,
  toolPartTokens: 10_000,
} as const;
