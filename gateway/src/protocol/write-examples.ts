import { bounds, scopes } from '@knowledge/runtime/product';
import { type Example, noBearer } from './example.js';
import { limits } from './limits.js';
import { protocolVersion } from './service-words.js';

const authorization = {
  id: '5f0d2c1e-7a43-5d0e-9a51-0f3c7b1d9e24',
  state: 'pending',
  email: 'j•••@example.org',
  scopes,
  expires_at: '2026-06-04T09:00:00.146Z',
};

const purpose = 'To hand in the notes that you dictate.';
const shown = { ...authorization, agent_name: 'Research agent', purpose };

const token = {
  scopes,
  sites: ['io', 'org'],
  email: 'jo@example.org',
  expires_at: '2026-11-30T09:05:00.082Z',
};

const contribution = {
  id: '0d1f6c52-43b7-4a52-9a3b-5f0b9a6f2c11',
  type: 'story',
  site: 'org',
  state: 'pending_review',
  title: 'The rollback that taught us to count',
  submitted_at: '2026-06-03T09:10:00.406Z',
  updated_at: '2026-06-03T09:10:00.406Z',
  status_url: 'https://knowledge.example/api/v1/contributions/0d1f6c52-43b7-4a52-9a3b-5f0b9a6f2c11',
  object_url: 'https://knowledge.example/api/v1/objects/0d1f6c52-43b7-4a52-9a3b-5f0b9a6f2c11',
};

const text = {
  title: contribution.title,
  body: 'We rolled back at night, and only then did we count what we had lost …',
  name: 'Jo',
  language: 'en',
};
const secondText = 'We rolled back at night, and counted by ten in the morning what we had lost …';
const status = {
  ...contribution,
  ...text,
  reviewed_at: null,
  reason: null,
  changes_due_at: null,
  text_changes: [],
  proposed_edit: null,
  answer: null,
};
const deviceCode = '5f0d2c1e-7a43-5d0e-9a51-0f3c7b1d9e24.ZGV2aWNlIGNvZGUgb2YgdGhlIGRvY3VtZW50cy4uLi4';
const code = '5f0d2c1e-7a43-5d0e-9a51-0f3c7b1d9e24.Y29kZSBvZiB0aGUgbGluayBpbiB0aGUgZS1tYWlsLi4';
const noContribution = 'There is no contribution with this id.';

/** Examples of the operations for authorization and contributions, by operation id. */
export const writeExamples: Readonly<Record<string, Partial<Example>>> = {
  authorize: {
    parameters: { site: 'org' },
    bodies: {
      writing: { email: 'jo@example.org', agent_name: 'Research agent', purpose },
      reading: { email: 'jo@example.org', agent_name: 'Research agent', scopes: [] },
    },
    responses: {
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
        mail: {
          to: 'jo@example.org',
          from: 'Community Knowledge Service <no-reply@…',
          subject: 'An agent asks for access in your name',
          link_minutes: 30,
        },
        tell_your_human:
          'I asked the Community Knowledge Service for access in your name. Please open the mail to jo@example.org with the subject “An agent asks for access in your name” from Community Knowledge Service <no-reply@…',
      },
    },
    messages: {
      missing_token: noBearer,
      validation_error: 'agent_name: is required.',
      idempotency_conflict: `This Idempotency-Key was used with another payload in the last ${limits.idempotencyKeyHours} hours; take a new key for a new request.`,
      rate_limited: 'Too many authorization mails for this mailbox. Wait 2032 s, then try again.',
    },
  },
  showConfirmation: {
    parameters: { code },
    responses: {
      200: {
        ok: true,
        authorization: shown,
        message:
          'This link is for the human of the mailbox, who alone decides: open it in a browser. An agent leaves it alone and polls its token exchange.',
      },
    },
  },
  decideConfirmation: {
    parameters: { code },
    bodies: { confirm: { decision: 'confirm' }, decline: { decision: 'decline' } },
    responses: { 200: { ok: true, authorization: { ...authorization, state: 'confirmed' } } },
    messages: {
      validation_error: 'decision: must be one of confirm, decline.',
      invalid_state: 'The human declined this request; it cannot be confirmed any more.',
    },
  },
  exchangeToken: {
    bodies: { poll: { device_code: deviceCode } },
    responses: {
      200: {
        ok: true,
        state: 'issued',
        token: 'cks_…',
        token_type: 'Bearer',
        ...token,
      },
      202: {
        ok: true,
        state: 'pending',
        interval_seconds: 5,
        expires_at: '2026-06-04T09:00:00.146Z',
        message:
          'Your human has not decided yet. The link of the mail is good for a shorter time than the request: if it is too old, its page mails a new one, until expires_at.',
      },
    },
    messages: {
      validation_error: 'device_code: is required.',
      invalid_or_expired_code:
        'This is no whole device_code: one has 80 characters. Send token_exchange.device_code exactly as it came; your request is not affected.',
      rate_limited: `Poll at most once every ${limits.pollSeconds} seconds. Wait ${limits.pollSeconds} s, then try again.`,
    },
  },
  describeToken: {
    responses: {
      200: {
        ok: true,
        token: {
          id: '9a4f3b52-0c1d-4e7f-8a21-6d5c4b3a2f10',
          agent_name: 'Research agent',
          ...token,
          created_at: '2026-06-03T09:05:00.082Z',
          last_used_at: null,
        },
      },
    },
  },
  revokeToken: {
    responses: { 200: { ok: true, revoked_at: '2026-06-10T12:00:00.511Z' } },
  },
  submitContribution: {
    onlyOrg: true,
    parameters: { site: 'org', 'idempotency-key': 'story-2026-06-03-1' },
    bodies: {
      story: { type: 'story', ...text },
      inquiry: {
        type: 'inquiry',
        body: 'Has anybody moved a pharmacy system to shared sign-on without a second card?',
      },
      correction: {
        type: 'inquiry',
        purpose: 'correction',
        about: 'https://knowledge.example/api/v1/content/rolling-out-sso?site=org',
        body: 'Point 3 of the stop week says lanyard; it must be: a reel at the pocket.',
      },
      prompt_reply: { type: 'prompt_reply', body: 'We wrote down that two wrong invoices stop the run, no debate.' },
    },
    responses: { 201: { ok: true, contribution } },
    messages: {
      validation_error: `title: is required; body: must have at least ${bounds.body.min} characters; it has 5.`,
      rate_limited: `This mailbox has sent all ${limits.contributionsPerDay} contributions of this UTC day; the next day begins at 00:00 UTC.`,
    },
  },
  listContributions: {
    onlyOrg: true,
    responses: {
      200: { ok: true, api_version: protocolVersion, total: 1, entries: [status], next_cursor: null, next_url: null },
    },
    messages: {
      validation_error: 'limit: must be a whole number from 1 to 200.',
      rate_limited: `${limits.ownListsPerMinute} lists of contributions a minute are sent to the agents of one mailbox; each contribution has its own URL. Wait 42 s, then try again.`,
    },
  },
  readContribution: {
    onlyOrg: true,
    parameters: { id: contribution.id },
    responses: {
      200: {
        ok: true,
        contribution: {
          ...status,
          state: 'rejected',
          updated_at: '2026-06-04T08:00:00.734Z',
          reviewed_at: '2026-06-04T08:00:00.734Z',
          reason: 'It names a person; send it again without the name.',
        },
      },
    },
    messages: { not_found: noContribution },
  },
  reviseContribution: {
    onlyOrg: true,
    parameters: { id: contribution.id, 'idempotency-key': 'story-2026-06-03-1-second-text' },
    bodies: { story: { ...text, body: secondText } },
    responses: {
      200: {
        ok: true,
        contribution: {
          ...status,
          body: secondText,
          updated_at: '2026-06-05T07:40:00.310Z',
          reviewed_at: '2026-06-04T08:00:00.734Z',
          text_changes: [
            {
              changed_at: '2026-06-05T07:40:00.310Z',
              by: 'agent',
              reason: null,
              fields: ['body'],
              before: text,
            },
          ],
        },
      },
    },
    messages: {
      not_found: noContribution,
      validation_error: `body: must have at least ${bounds.body.min} characters; it has 5.`,
      idempotency_conflict: `This Idempotency-Key was used with another payload in the last ${limits.idempotencyKeyHours} hours; take a new key for a new text.`,
      invalid_state:
        'The contribution is withdrawn now; a new text is accepted only after a moderator asked for changes.',
    },
  },
  withdrawContribution: {
    onlyOrg: true,
    parameters: { id: contribution.id },
    responses: {
      200: {
        ok: true,
        contribution: {
          ...status,
          body: 'Another text of the same title.',
          state: 'withdrawn',
          updated_at: '2026-06-03T09:20:00.118Z',
        },
      },
    },
    messages: { not_found: noContribution },
  },
};
