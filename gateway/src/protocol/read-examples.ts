import { publishedKindNames } from '@knowledge/runtime/product';
import { type Example, noBearer } from './example.js';
import { limits } from './limits.js';
import { articleEntryExample as entry } from './read-schemas.js';
import { contentNotice } from './schemas.js';
import { protocolVersion } from './service-words.js';

const clientId = { 'x-agent-client-id': 'research-agent/2.1' };

const object = {
  id: '28f35209-4064-49ab-8c97-7f49b4919cd9',
  kind: 'knowledge',
  title: 'Decision record: which identifier applications receive at sign-in',
  summary: 'Why a hospital group passes a personnel number with a site prefix to its applications …',
  site: 'org',
  author: 'Maren Holt',
  language: 'en',
  published_at: '2026-06-05T08:00:00Z',
  updated_at: '2026-06-05T08:00:00.426Z',
  edited_at: null,
  reading_tokens: 562,
  api_url: 'https://knowledge.example/api/v1/objects/28f35209-4064-49ab-8c97-7f49b4919cd9',
  human_url: 'https://knowledge.example/objects/28f35209-4064-49ab-8c97-7f49b4919cd9',
  source: 'wave12_object',
};

const glossary = {
  ...object,
  id: 'd8570f03-f65e-45c1-a3dd-68ab66e7b925',
  title: 'Glossary: fourteen words that mean different things in one meeting',
  summary: 'Working definitions a payroll bureau agreed on …',
  author: 'Bastian Oduya',
  published_at: '2026-09-22T07:35:00Z',
  updated_at: '2026-09-22T07:35:00.427Z',
  reading_tokens: 531,
  api_url: 'https://knowledge.example/api/v1/objects/d8570f03-f65e-45c1-a3dd-68ab66e7b925',
  human_url: 'https://knowledge.example/objects/d8570f03-f65e-45c1-a3dd-68ab66e7b925',
};

const articleCursor = 'WzEsImtpX0RUckhWeDVsIiwxNS44MDU4MjY3MzA4MDU1MDgsMTc4MDMwNDQwMDAwMCwicm9sbGluZy1vdXQtc3NvIl0';
const objectCursor = 'WzEsImRQdU50WnZYUi1kIiwxNzkwMDYyNTAwMDAwLCJkODU3MGYwMy1mNjVlLTQ1YzEtYTNkZC02OGFiNjZlN2I5MjUiXQ';
const listing = { ok: true, api_version: protocolVersion, site: 'org' };

/** Examples of the read operations, by operation id. They show the sample content that `npm start` imports. */
export const readExamples: Readonly<Record<string, Partial<Example>>> = {
  search: {
    onlyOrg: true,
    parameters: { q: 'SSO in a hospital', site: 'org', kind: 'article', author: 'Maren Holt', limit: 1 },
    responses: {
      200: {
        ...listing,
        total: 1,
        facets: {
          language: [{ value: 'en', count: 1 }],
          tag: [
            { value: 'identity', count: 1 },
            { value: 'rollout', count: 1 },
            { value: 'support', count: 1 },
          ],
          kind: [{ value: 'article', count: 1 }],
        },
        did_you_mean: null,
        all_weak: false,
        hint: null,
        other_sites: [
          {
            site: 'io',
            total: 0,
            search_url:
              'https://knowledge.example/api/v1/search?site=io&q=SSO+in+a+hospital&kind=article&author=Maren+Holt&limit=1',
          },
        ],
        entries: [
          {
            kind: 'article',
            site: 'org',
            ...entry,
            score: 0.6345,
            weak: false,
            matched: [
              { word: 'SSO', found: ['single'], fields: ['title', 'summary', 'body'] },
              { word: 'hospital', found: ['hospital'], fields: ['summary', 'body'] },
            ],
            snippet: {
              text: 'We are a regional hospital group: four sites, one laboratory, about 4,000 people with a login. Before this project a ward nurse had between five and nine passwords. The deadline of nine weeks came from outside, because the old password-reset tool lost its support contract at the end of the…',
              heading: null,
            },
            gloss: null,
          },
        ],
        next_cursor: null,
        next_url: null,
      },
    },
    messages: {
      validation_error: `limit: must be a whole number from ${limits.searchSize.min} to ${limits.searchSize.max}.`,
    },
  },
  listContent: {
    onlyOrg: true,
    parameters: { site: 'org', q: 'single sign-on', limit: 1 },
    responses: {
      200: {
        ...listing,
        total: 17,
        hint: null,
        entries: [{ ...entry, score: 0.9865, weak: false }],
        next_cursor: articleCursor,
        next_url: `https://knowledge.example/api/v1/content?site=org&limit=1&q=single+sign-on&cursor=${articleCursor}`,
      },
    },
    messages: {
      validation_error: `limit: must be a whole number from ${limits.pageSize.min} to ${limits.pageSize.max}.`,
    },
  },
  listCurated: {
    onlyOrg: true,
    parameters: { site: 'org' },
    responses: {
      200: {
        ...listing,
        entries: [
          {
            ...entry,
            position: 1,
            editor_note: 'Read it for the wave table and the stop rule: it shows what a pause in week six bought, …',
          },
        ],
      },
    },
  },
  readContent: {
    onlyOrg: true,
    parameters: { slug: 'rolling-out-sso', site: 'org', ...clientId },
    responses: {
      200: {
        ok: true,
        site: 'org',
        article: {
          ...entry,
          notice: contentNotice,
          body: 'We are a regional hospital group: four sites, one laboratory, about 4,000 people with a login. …',
          body_format: 'markdown',
          related: [
            {
              slug: 'security-keys-in-cold-stores',
              title: 'Security keys, gloves and minus 24 degrees',
              api_url: 'https://knowledge.example/api/v1/content/security-keys-in-cold-stores?site=org',
            },
            {
              slug: 'code-assistants-140-developers',
              title: 'Code assistants for 140 developers, measured without lines of code',
              api_url: 'https://knowledge.example/api/v1/content/code-assistants-140-developers?site=org',
            },
            {
              slug: 'half-the-knowledge-base',
              title: 'We hid half the knowledge base and solved more tickets',
              api_url: 'https://knowledge.example/api/v1/content/half-the-knowledge-base?site=org',
            },
          ],
        },
      },
    },
    messages: {
      validation_error: `X-Agent-Client-Id: must have ${limits.clientId.min} to ${limits.clientId.max} characters.`,
      missing_token: noBearer,
      invalid_state:
        'continuation: the article was changed since (revision 2, not 1), so its rest does not fit what you have. A new read is needed: call without continuation; it counts again.',
    },
  },
  readOutline: {
    onlyOrg: true,
    parameters: { slug: 'rolling-out-sso', site: 'org' },
    responses: {
      200: {
        ok: true,
        site: 'org',
        slug: entry.slug,
        title: entry.title,
        language: 'en',
        revision: 1,
        api_url: entry.api_url,
        reading_tokens: 1305,
        tokens_before_sections: 75,
        notice: contentNotice,
        sections: [
          { anchor: 'scope-and-what-we-left-out', title: 'Scope, and what we left out', level: 2, tokens: 135 },
        ],
        sections_left_out: 0,
      },
    },
  },
  listObjects: {
    onlyOrg: true,
    parameters: { site: 'org', kind: 'knowledge', limit: 1 },
    responses: {
      200: {
        ...listing,
        total: 6,
        entries: [glossary],
        next_cursor: objectCursor,
        next_url: `https://knowledge.example/api/v1/objects/catalog?site=org&kind=knowledge&limit=1&cursor=${objectCursor}`,
      },
    },
    messages: { validation_error: `kind: must be one of ${publishedKindNames.join(', ')}.` },
  },
  readObject: {
    onlyOrg: true,
    parameters: { id: object.id },
    responses: {
      200: {
        ok: true,
        object: {
          ...object,
          notice: contentNotice,
          body: '**Status:** in force since the sixth week of our single sign-on rollout. …',
          body_format: 'markdown',
        },
      },
    },
    messages: { not_found: 'No published object has this name. See /api/v1/objects/catalog for the catalog.' },
  },
  readActivePrompt: {
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
  readQuota: {
    parameters: { ...clientId },
    responses: {
      200: { ok: true, quota: { subject: 'client_id', limit: 3, remaining: 2, reset_at: '2026-06-04T00:00:00Z' } },
    },
    messages: {
      validation_error: `X-Agent-Client-Id: must have ${limits.clientId.min} to ${limits.clientId.max} characters.`,
      missing_token: noBearer,
    },
  },
  readCapabilities: { parameters: { site: 'org' } },
  readOpenApi: { parameters: { site: 'org' } },
  readAgentEntry: { parameters: { site: 'org' } },
};
