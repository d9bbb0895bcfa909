import { Type } from 'typebox';
import { cacheHeaders, type Operation } from './operation.js';
import { answer, named, nullableTime, SiteQuery, text } from './schemas.js';

/** The active community prompt (gateway/PROTOCOL.md#reads). */
const PromptSchema = named(
  'Prompt',
  Type.Object({
    id: text(),
    question: text(),
    opens_at: nullableTime(),
    closes_at: nullableTime(),
  }),
);

export const readActivePrompt = {
  id: 'readActivePrompt',
  endpoint: 'read_active_prompt',
  method: 'GET',
  path: '/api/v1/prompts/active',
  summary: 'The active prompt',
  description: 'The question that prompt replies answer now; not_found when there is none.',
  auth: 'none',
  query: Type.Object(SiteQuery),
  responses: { 200: answer({ prompt: PromptSchema }) },
  responseHeaders: cacheHeaders,
  errors: ['not_found'],
  example: {
    onlyOrg: true,
    parameters: { site: 'org' },
    responses: {
      200: {
        ok: true,
        prompt: {
          id: '44f4cf61-f28f-474b-8896-3948725cc2f7',
          question:
            'Which check, limit or rule did you write down in a calm moment that later made the right decision …',
          opens_at: '2026-06-01T08:00:00.266Z',
          closes_at: null,
        },
      },
    },
    messages: { not_found: 'No community prompt is active on this site.' },
  },
} as const satisfies Operation;
