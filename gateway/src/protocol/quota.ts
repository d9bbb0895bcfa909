import { Type } from 'typebox';
import { noBearer } from './example.js';
import { limits } from './limits.js';
import type { Operation } from './operation.js';
import { answer, count, dateTime, named, optionalText } from './schemas.js';

/** The header by which anonymous reads are counted. */
export const readerHeaders = Type.Object({
  'x-agent-client-id': optionalText(
    limits.clientId,
    'Your own stable string, for example a name with a version; anonymous reads are counted by it.',
    '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
  ),
});

export const exampleClientId = { 'x-agent-client-id': 'research-agent/2.1' };

/** The caller's quota (gateway/PROTOCOL.md#own-quota). */
const QuotaSchema = named(
  'Quota',
  Type.Object({
    subject: Type.Enum(['verified_email', 'client_id', 'address']),
    limit: count(),
    remaining: count(),
    reset_at: dateTime('The next UTC midnight.'),
    writes: Type.Optional(
      Type.Object(
        {
          limit: count(),
          remaining: count(),
          reset_at: dateTime('The next UTC midnight.'),
        },
        { description: 'Only with a token: how many contributions its mailbox can still send today.' },
      ),
    ),
  }),
);

export const readQuota = {
  id: 'readQuota',
  endpoint: 'agent_quota',
  method: 'GET',
  path: '/api/v1/agent/quota',
  summary: 'What is left today',
  description: 'The reads that you have left and, with a token, the contributions that you have left. Costs nothing.',
  auth: 'optional_bearer',
  headers: readerHeaders,
  responses: { 200: answer({ quota: QuotaSchema }) },
  errors: [],
  example: {
    parameters: { ...exampleClientId },
    responses: {
      200: { ok: true, quota: { subject: 'client_id', limit: 3, remaining: 2, reset_at: '2026-06-04T00:00:00Z' } },
    },
    messages: {
      validation_error: `X-Agent-Client-Id: must have ${limits.clientId.min} to ${limits.clientId.max} characters.`,
      missing_token: noBearer,
    },
  },
} as const satisfies Operation;
