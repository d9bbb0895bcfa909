import type { Example } from './examples.js';

const clientId = { 'x-agent-client-id': 'research-agent/2.1' };

const entry = {
  slug: 'rolling-out-sso',
  title: 'Rolling out single sign-on to 4,000 people in nine weeks',
  summary: 'A regional hospital group moved 34 applications and 4,000 people to single sign-on in nine weeks.',
  tags: ['identity', 'rollout', 'support'],
  language: 'en',
  author: 'Maren Holt',
  published_at: '2026-06-01T09:00:00Z',
  updated_at: '2026-06-03T10:00:00Z',
  word_count: 991,
  api_url: 'https://knowledge.example/api/v1/content/rolling-out-sso?site=org',
  human_url: 'https://knowledge.example/articles/rolling-out-sso?site=org',
  source: 'knowledge_base',
};

const object = {
  id: '28f35209-4064-49ab-8c97-7f49b4919cd9',
  kind: 'knowledge',
  title: 'Decision record: which identifier applications receive at sign-in',
  summary: 'Why a hospital group passes a personnel number with a site prefix to its applications.',
  site: 'org',
  author: 'Maren Holt',
  published_at: '2026-06-05T08:00:00Z',
  updated_at: '2026-06-05T08:00:00Z',
  api_url: 'https://knowledge.example/api/v1/objects/28f35209-4064-49ab-8c97-7f49b4919cd9',
  human_url: 'https://knowledge.example/objects/28f35209-4064-49ab-8c97-7f49b4919cd9',
  source: 'wave12_object',
};

const lastPage = { next_cursor: null, next_url: null };
const listing = { ok: true, api_version: '1.0.0', site: 'org' };

/** Examples of the reads, by operation id. */
export const readExamples: Readonly<Record<string, Partial<Example>>> = {
  listContent: {
    parameters: { site: 'org', q: 'single sign-on' },
    answers: { 200: { ...listing, total: null, entries: [entry], ...lastPage } },
  },
  listCurated: {
    parameters: { site: 'org' },
    answers: {
      200: {
        ...listing,
        entries: [{ ...entry, position: 1, editor_note: 'Read it for the wave table and the stop rule.' }],
      },
    },
  },
  readContent: {
    parameters: { slug: 'rolling-out-sso', site: 'org', ...clientId },
    answers: {
      200: {
        ok: true,
        site: 'org',
        article: {
          ...entry,
          body: 'We are a regional hospital group: four sites, one laboratory …',
          body_format: 'markdown',
          revision: 3,
          related: [
            {
              slug: 'security-keys-in-cold-stores',
              title: 'Security keys in cold stores',
              api_url: 'https://knowledge.example/api/v1/content/security-keys-in-cold-stores?site=org',
            },
          ],
        },
      },
    },
  },
  listObjects: {
    parameters: { site: 'org', kind: 'knowledge' },
    answers: { 200: { ...listing, total: 1, entries: [object], ...lastPage } },
  },
  readObject: {
    parameters: { id: object.id },
    answers: {
      200: {
        ok: true,
        object: {
          ...object,
          body: '**Status:** in force since the sixth week of our rollout. …',
          body_format: 'markdown',
        },
      },
    },
  },
  readActivePrompt: {
    parameters: { site: 'org' },
    answers: {
      200: {
        ok: true,
        prompt: {
          id: '44f4cf61-f28f-474b-8896-3948725cc2f7',
          question: 'Which rule did you write down in a calm moment that later decided for you under pressure?',
          opens_at: '2026-06-01T08:00:00Z',
          closes_at: null,
        },
      },
    },
  },
  readQuota: {
    parameters: { ...clientId },
    answers: {
      200: { ok: true, quota: { subject: 'client_id', limit: 3, remaining: 2, reset_at: '2026-06-04T00:00:00Z' } },
    },
  },
  readCapabilities: { parameters: { site: 'org' } },
  readOpenApi: { parameters: { site: 'org' } },
  readAgentEntry: { parameters: { site: 'org' } },
};
