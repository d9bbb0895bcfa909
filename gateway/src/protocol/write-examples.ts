import type { Example } from './examples.js';

const authorization = {
  id: '5f0d2c1e-7a43-4d0e-9a51-0f3c7b1d9e24',
  state: 'pending',
  email: 'j•••@example.org',
  scopes: ['write:story'],
  expires_at: '2026-06-04T09:00:00Z',
};

const token = {
  scopes: ['write:story'],
  sites: ['io', 'org'],
  email: 'jo@example.org',
  expires_at: '2026-11-30T09:05:00Z',
};

const contribution = {
  id: '0d1f6c52-43b7-4a52-9a3b-5f0b9a6f2c11',
  type: 'story',
  site: 'org',
  state: 'pending_review',
  title: 'The rollback that taught us to count',
  submitted_at: '2026-06-03T09:10:00Z',
  updated_at: '2026-06-03T09:10:00Z',
  status_url: 'https://knowledge.example/api/v1/contributions/0d1f6c52-43b7-4a52-9a3b-5f0b9a6f2c11',
  object_url: 'https://knowledge.example/api/v1/objects/0d1f6c52-43b7-4a52-9a3b-5f0b9a6f2c11',
};

const status = { ...contribution, reviewed_at: null, reason: null, answer: null };
const deviceCode = '5f0d2c1e-7a43-4d0e-9a51-0f3c7b1d9e24.Zm9yIHRoZSBkb2N1bWVudHM';

/** Examples of authorization and contribution, by operation id. */
export const writeExamples: Readonly<Record<string, Partial<Example>>> = {
  authorize: {
    parameters: { site: 'org' },
    bodies: {
      story: {
        email: 'jo@example.org',
        agent_name: 'Research agent',
        scopes: ['write:story'],
        purpose: 'To send the story that you dictated.',
      },
      reading: { email: 'jo@example.org', agent_name: 'Research agent', scopes: [] },
    },
    answers: {
      202: {
        ok: true,
        authorization,
        token_exchange: {
          method: 'POST',
          path: '/api/v1/agent/token',
          device_code: deviceCode,
          interval_seconds: 5,
        },
        user_code: 'WDJB-MJHT',
      },
    },
  },
  showConfirmation: {
    answers: {
      200: {
        ok: true,
        authorization,
        confirm: { method: 'POST', path: '/api/v1/agent/authorize/confirm?code=…' },
      },
    },
  },
  decideConfirmation: {
    bodies: { confirm: { decision: 'confirm' }, decline: { decision: 'decline' } },
    answers: { 200: { ok: true, authorization: { ...authorization, state: 'confirmed' } } },
  },
  exchangeToken: {
    bodies: { poll: { device_code: deviceCode } },
    answers: {
      200: { ok: true, state: 'issued', token: 'cks_…', token_type: 'Bearer', ...token },
      202: { ok: true, state: 'pending', interval_seconds: 5, expires_at: '2026-06-04T09:00:00Z' },
    },
  },
  describeToken: {
    answers: {
      200: {
        ok: true,
        token: {
          id: '9a4f3b52-0c1d-4e7f-8a21-6d5c4b3a2f10',
          agent_name: 'Research agent',
          ...token,
          created_at: '2026-06-03T09:05:00Z',
          last_used_at: null,
        },
      },
    },
  },
  revokeToken: { answers: { 200: { ok: true, revoked_at: '2026-06-10T12:00:00Z' } } },
  submitContribution: {
    onlyOrg: true,
    parameters: { site: 'org', 'idempotency-key': 'story-2026-06-03-1' },
    bodies: {
      story: {
        type: 'story',
        title: contribution.title,
        body: 'We rolled back at night, and only then did we count what we had lost …',
        name: 'Jo',
      },
      inquiry: {
        type: 'inquiry',
        body: 'Has anybody moved a pharmacy system to shared sign-on without a second card?',
      },
      prompt_reply: { type: 'prompt_reply', body: 'We wrote down that two wrong invoices stop the run, no debate.' },
    },
    answers: { 201: { ok: true, contribution } },
  },
  listContributions: {
    onlyOrg: true,
    answers: {
      200: { ok: true, api_version: '1.0.0', total: 1, entries: [status], next_cursor: null, next_url: null },
    },
  },
  readContribution: {
    onlyOrg: true,
    parameters: { id: contribution.id },
    answers: {
      200: {
        ok: true,
        contribution: {
          ...status,
          state: 'rejected',
          updated_at: '2026-06-04T08:00:00Z',
          reviewed_at: '2026-06-04T08:00:00Z',
          reason: 'It names a person; send it again without the name.',
          answer: null,
        },
      },
    },
  },
  withdrawContribution: {
    onlyOrg: true,
    parameters: { id: contribution.id },
    answers: { 200: { ok: true, contribution: { ...status, state: 'withdrawn', updated_at: '2026-06-03T09:20:00Z' } } },
  },
};
