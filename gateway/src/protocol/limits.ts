import { bounds, rules } from '@knowledge/runtime/product';
import { httpLimits } from '../http/http-limits.js';

/** Every bound of the protocol. Lengths of texts count code points. */
export const limits = {
  ...httpLimits,
  ...rules,
  ...bounds,
  requestId: { min: 1, max: 128 },
  pageSize: { min: 1, max: 200, default: 50 },
  /** The number of hits in one response of a search. */
  searchSize: { min: 1, max: 50, default: 10 },
  cursor: { max: 1024 },
  language: { max: 35 },
  /** The largest number of JSON-RPC messages in one batch to /mcp. */
  batchMessages: 10,
} as const;
