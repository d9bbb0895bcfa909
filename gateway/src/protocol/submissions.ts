import { bounds, type ContributionType, contributionTypes, inSeries, scopes } from '@knowledge/runtime/product';
import { type Static, type TObject, Type } from 'typebox';
import {
  ContributionSchema,
  ContributionStatusSchema,
  contributionExample,
  contributionId,
  etagHeader,
  IfMatchHeader,
  noContribution,
  purposes,
  sentText,
  statusExample,
} from './contributions.js';
import { limits } from './limits.js';
import { type Operation, writeLimitHeaders } from './operation.js';
import { languagePattern } from './patterns.js';
import {
  answer,
  boundedText,
  idempotencyHeader,
  named,
  optionalText,
  SiteQuery,
  siteField,
  strict,
} from './schemas.js';

const onlyOrg = 'Only org; io is answered with site_restriction. Default: the site of the request.';

const typeAndSite = <Name extends ContributionType>(type: Name, sites = onlyOrg) => ({
  type: Type.Literal(type, { description: 'The type, which decides about the other fields.' }),
  site: siteField(sites),
});

/** The texts that each type has. */
const texts = {
  body: boundedText(
    limits.body,
    'The text; it may be Markdown, without images, tokens or keys of this service, or the e-mail address of the human. White space at its ends does not count for the minimum.',
  ),
  name: optionalText(limits.name, 'The name to show; never an e-mail address.'),
  language: optionalText(
    limits.language,
    'The language of the text, a BCP 47 tag such as de. If you leave it out, the service recognises it where it can.',
    languagePattern,
  ),
};

/** The body of an inquiry (gateway/PROTOCOL.md#contribution-types). */
const InquirySchema = named(
  'Inquiry',
  Type.Object(
    {
      ...typeAndSite('inquiry', 'The site to ask; default: that of `about`, else the site of the request.'),
      ...texts,
      purpose: Type.Optional(
        Type.Enum(purposes, {
          default: 'question',
          description:
            'A correction proposes to change what about says; a report names a problem with it. Both need about.',
        }),
      ),
      about: optionalText(limits.about, 'The published text that it is about: its api_url or human_url.'),
    },
    {
      ...strict,
      description:
        'A private question, correction or report. The answer comes by e-mail and with GET; it is never published.',
    },
  ),
);

/** The body of a story. Validation accepts the site `io`; the service refuses it later with site_restriction. */
const StorySchema = named(
  'Story',
  Type.Object(
    {
      ...typeAndSite('story'),
      title: boundedText(limits.title, 'The headline. White space at its ends does not count for the minimum.'),
      ...texts,
    },
    { ...strict, description: 'A field experience; published in the catalog after review.' },
  ),
);

/** The body of a reply to the community prompt (gateway/PROTOCOL.md#contribution-types). */
const PromptReplySchema = named(
  'PromptReply',
  Type.Object(
    {
      ...typeAndSite('prompt_reply'),
      ...texts,
      prompt_id: optionalText(limits.promptId, 'The prompt that it answers; default: the active one.'),
    },
    { ...strict, description: 'An answer to the active community prompt; published in the catalog after review.' },
  ),
);

/** The body of PUT /api/v1/contributions/{id} (gateway/PROTOCOL.md#new-texts). */
const NewTextSchema = named(
  'NewText',
  Type.Object(
    {
      title: optionalText(limits.title, 'The headline: required for a story, and only there.'),
      ...texts,
    },
    { ...strict, description: 'The whole new text. A field that you leave out is empty from then on.' },
  ),
);

/** The bodies of contributions by type. */
export const contributionBodies = {
  inquiry: InquirySchema,
  story: StorySchema,
  prompt_reply: PromptReplySchema,
} satisfies Readonly<Record<ContributionType, TObject>>;

/** The body of POST /api/v1/contributions. The value of `type` chooses the schema that validates it. */
export const ContributionBodySchema = named(
  'ContributionRequest',
  Type.Unsafe<Static<(typeof contributionBodies)[ContributionType]>>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: Object.values(contributionBodies),
  }),
);

const IdempotencyHeader = idempotencyHeader(limits.idempotencyKey);

const secondText = 'We rolled back at night, and counted by ten in the morning what we had lost …';

/** The operation POST /api/v1/contributions (gateway/PROTOCOL.md#contributions). */
export const submitContribution = {
  id: 'submitContribution',
  endpoint: 'write_contribution',
  method: 'POST',
  path: '/api/v1/contributions',
  summary: `Send an ${inSeries(
    contributionTypes.map((type) => type.replace('_', ' ')),
    'or',
  )}`,
  description:
    'Submits on behalf of the human of the token; a moderator reviews it. The site org accepts all types, io only inquiries. Each type needs its own scope.',
  auth: 'bearer',
  query: Type.Object(SiteQuery),
  headers: IdempotencyHeader,
  body: ContributionBodySchema,
  responses: {
    201: answer({
      contribution: ContributionSchema,
      replayed: Type.Optional(
        Type.Literal(true, {
          description:
            'This is the response to an earlier, equal request; nothing was added. It shows the state at that time: GET status_url for the present state.',
        }),
      ),
      duplicate_of: Type.Optional(
        Type.Union([Type.String({ format: 'uuid' }), Type.Literal(true)], {
          description:
            'An identical text of your human already waits for review: its id if you sent it, true if another agent did. Withdraw one of the two.',
        }),
      ),
    }),
  },
  responseHeaders: {
    Location: 'The status_url of the contribution.',
    ...etagHeader,
    ...writeLimitHeaders,
    'Idempotent-Replayed': '`true` where this is the response to an earlier, equal request.',
  },
  errors: [
    'site_restriction',
    'writes_blocked',
    'insufficient_scope',
    'idempotency_conflict',
    'no_active_prompt',
    'rate_limited',
  ],
  errorHeaders: { rate_limited: writeLimitHeaders },
  scopes,
  example: {
    onlyOrg: true,
    parameters: { site: 'org', 'idempotency-key': 'story-2026-06-03-1' },
    bodies: {
      story: { type: 'story', ...sentText },
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
    responses: { 201: { ok: true, contribution: contributionExample } },
    messages: {
      validation_error: `title: is required; body: must have at least ${bounds.body.min} characters; it has 5.`,
      rate_limited: `This mailbox has sent all ${limits.contributionsPerDay} contributions of this UTC day; the next day begins at 00:00 UTC. Reads, withdrawals and new texts that a moderator asked for go on.`,
    },
  },
} as const satisfies Operation;

/** The operation PUT /api/v1/contributions/{id} (gateway/PROTOCOL.md#new-texts). */
export const reviseContribution = {
  id: 'reviseContribution',
  endpoint: 'revise_contribution',
  method: 'PUT',
  path: '/api/v1/contributions/{id}',
  summary: 'Send a new text',
  description: `Replaces the text of a contribution of yours in the state changes_requested: reason says which changes a moderator asks for. It waits for review again. Type, site and prompt stay. It costs nothing of the daily limit; a contribution takes ${limits.newTextsPerContribution} new texts, each within ${limits.changesDays} days.`,
  auth: 'bearer',
  params: contributionId,
  headers: Type.Object({ ...IdempotencyHeader.properties, ...IfMatchHeader.properties }),
  body: NewTextSchema,
  responses: {
    200: answer({
      contribution: ContributionStatusSchema,
      replayed: Type.Optional(
        Type.Literal(true, { description: 'An earlier, equal request changed the text; this one changed nothing.' }),
      ),
    }),
  },
  responseHeaders: {
    ...etagHeader,
    'Idempotent-Replayed': '`true` where an earlier, equal request changed the text.',
  },
  errors: [
    'not_found',
    'writes_blocked',
    'insufficient_scope',
    'idempotency_conflict',
    'invalid_state',
    'precondition_failed',
  ],
  example: {
    onlyOrg: true,
    parameters: { id: contributionExample.id, 'idempotency-key': 'story-2026-06-03-1-second-text' },
    bodies: { story: { ...sentText, body: secondText } },
    responses: {
      200: {
        ok: true,
        contribution: {
          ...statusExample,
          body: secondText,
          updated_at: '2026-06-05T07:40:00.310Z',
          reviewed_at: '2026-06-04T08:00:00.734Z',
          text_changes: [
            {
              changed_at: '2026-06-05T07:40:00.310Z',
              by: 'agent',
              reason: null,
              fields: ['body'],
              before: sentText,
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
} as const satisfies Operation;
