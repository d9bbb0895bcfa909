import { httpLimits } from '../http/http-limits.js';

/** Every bound of the protocol; lengths are Unicode code points. */
export const limits = {
  ...httpLimits,
  clientId: { min: 1, max: 120 },
  requestId: { min: 1, max: 128 },
  query: { max: 200 },
  pageSize: { min: 1, max: 200, default: 50 },
  cursor: { max: 1024 },
  tag: { min: 1, max: 40 },
  body: { min: 10, max: 8_000 },
  title: { min: 4, max: 160 },
  name: { max: 120 },
  promptId: { max: 120 },
  language: { max: 35 },
  email: { max: 254 },
  agentName: { min: 1, max: 60 },
  purpose: { max: 500 },
  idempotencyKey: { min: 1, max: 128 },
  /** Bytes of an article's body. */
  articleBytes: 200_000,
  /** JSON-RPC messages of one batch to /mcp. */
  batchMessages: 10,
  readsPerDay: { anonymous: 3, verifiedEmail: 10 },
  writesPerDay: 20,
  authorizePerHour: 5,
  authorizePerDay: 20,
  ownPageMailsPerHour: 5,
  ownPageMailsPerDay: 20,
  tokenDays: 180,
  pollSeconds: 5,
} as const;
