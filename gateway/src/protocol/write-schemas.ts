import { contributionStates, contributionTypes, scopes } from '@knowledge/runtime/product';
import { type Static, Type } from 'typebox';
import { limits } from './limits.js';
import { emailPattern, languagePattern } from './patterns.js';
import { count, dateTime, ignoredFields, nullable, ok, paging, SiteSchema, uri } from './schemas.js';

const ScopeSchema = Type.Enum([...scopes], { description: 'What a token may write.' });

const strict = { additionalProperties: false };

const site = (description: string) => Type.Optional(Type.Enum(['io', 'org'], { description }));
const body = Type.String({
  minLength: limits.body.min,
  maxLength: limits.body.max,
  description:
    'The text; it may be Markdown, without images, tokens or keys of this service, and the e-mail address of the human. White space at its ends does not count for the minimum.',
});
const name = Type.Optional(
  Type.String({ maxLength: limits.name.max, description: 'The name to show; never an e-mail address.' }),
);

const language = Type.Optional(
  Type.String({
    maxLength: limits.language.max,
    pattern: languagePattern,
    description:
      'The language of the text, a BCP 47 tag such as de. If you leave it out, the service recognises it where it can.',
  }),
);

const inquiryPurposes = ['question', 'correction', 'report'] as const;

/** The body of an inquiry (gateway/PROTOCOL.md#contribution-types). */
export const InquirySchema = Type.Object(
  {
    type: Type.Literal('inquiry', { description: 'One of the three types.' }),
    site: site('The site to ask; default: that of `about`, else the site of the request.'),
    body,
    name,
    language,
    purpose: Type.Optional(
      Type.Enum([...inquiryPurposes], {
        default: 'question',
        description:
          'A correction proposes to change what about says; a report names a problem with it. Both need about.',
      }),
    ),
    about: Type.Optional(
      Type.String({
        minLength: limits.about.min,
        maxLength: limits.about.max,
        description: 'The published text that it is about: its api_url or human_url.',
      }),
    ),
  },
  {
    ...strict,
    description:
      'A private question, correction or report. The answer comes by e-mail and with GET; it is never published.',
  },
);

/** The body of a story. Validation accepts the site `io`; the service refuses it later with site_restriction. */
export const StorySchema = Type.Object(
  {
    type: Type.Literal('story', { description: 'One of the three types.' }),
    site: site('Only org; io is answered with site_restriction. Default: the site of the request.'),
    title: Type.String({
      minLength: limits.title.min,
      maxLength: limits.title.max,
      description: 'The headline. White space at its ends does not count for the minimum.',
    }),
    body,
    name,
    language,
  },
  { ...strict, description: 'A field experience; published in the catalog after review.' },
);

/** The body of a reply to the community prompt (gateway/PROTOCOL.md#contribution-types). */
export const PromptReplySchema = Type.Object(
  {
    type: Type.Literal('prompt_reply', { description: 'One of the three types.' }),
    site: site('Only org; io is answered with site_restriction. Default: the site of the request.'),
    body,
    name,
    language,
    prompt_id: Type.Optional(
      Type.String({
        maxLength: limits.promptId.max,
        description: 'The prompt that it answers; default: the active one.',
      }),
    ),
  },
  { ...strict, description: 'An answer to the active community prompt; published in the catalog after review.' },
);

/** The body of PUT /api/v1/contributions/{id} (gateway/PROTOCOL.md#new-texts). */
export const NewTextSchema = Type.Object(
  {
    title: Type.Optional(
      Type.String({
        minLength: limits.title.min,
        maxLength: limits.title.max,
        description: 'The headline: required for a story, and only there.',
      }),
    ),
    body,
    name,
    language,
  },
  { ...strict, description: 'The whole new text. A field that you leave out is empty from then on.' },
);

/** The body of POST /api/v1/contributions. The value of `type` chooses the schema that validates it. */
export const ContributionBodySchema = Type.Unsafe<
  Static<typeof InquirySchema> | Static<typeof StorySchema> | Static<typeof PromptReplySchema>
>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [InquirySchema, StorySchema, PromptReplySchema],
});

/** The body of POST /api/v1/agent/authorize (gateway/PROTOCOL.md#request). */
export const AuthorizeBodySchema = Type.Object(
  {
    email: Type.String({
      maxLength: limits.email.max,
      pattern: emailPattern,
      description: "The human's address: exactly one, without a name. We never add it to a text.",
    }),
    agent_name: Type.String({
      minLength: limits.agentName.min,
      maxLength: limits.agentName.max,
      description:
        "How the human knows you: letters, marks, digits, space and _-+()', inside also . and /. No name of this service or of those who work for it, like “The moderators”.",
    }),
    scopes: Type.Optional(
      Type.Array(ScopeSchema, {
        uniqueItems: true,
        maxItems: scopes.length,
        description: `What you want to write. The default is all three, for a renewal the scopes of the token; [] asks for a token that only reads, ${limits.readsPerDay.verifiedEmail} articles a day.`,
      }),
    ),
    site: site('The site whose pages and mails serve the human; default: the site of the request.'),
    purpose: Type.Optional(
      Type.String({ maxLength: limits.purpose.max, description: 'Why you ask, in your words; the human reads it.' }),
    ),
  },
  strict,
);

/** The body of POST …/confirm, as JSON or as a form (gateway/PROTOCOL.md#decision). */
export const DecisionBodySchema = Type.Object(
  {
    decision: Type.Optional(
      Type.Enum(['confirm', 'decline'], {
        default: 'confirm',
        description: 'What the human decides; an agent never sends this.',
      }),
    ),
    user_code: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'The code of the agent, where the human must type it; a code that is sent is always compared. Case and dash do not count.',
      }),
    ),
    keep_waiting: Type.Optional(
      Type.Enum(['yes', 'no'], {
        default: 'no',
        description: 'For a decline that ends an access: `yes` keeps what waits for review; otherwise it is withdrawn.',
      }),
    ),
  },
  strict,
);

/** The body of POST /api/v1/agent/token (gateway/PROTOCOL.md#token-exchange). */
export const TokenExchangeBodySchema = Type.Object(
  {
    device_code: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'The secret from the response of authorize; show it to nobody.',
    }),
  },
  strict,
);

/** An authorization as JSON for its agent (gateway/PROTOCOL.md#authorization). */
export const AuthorizationSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  state: Type.Enum(['pending', 'confirmed', 'declined', 'issued', 'expired', 'revoked', 'renewed']),
  email: Type.String({ description: 'The address, with the part before the @ hidden.' }),
  agent_name: Type.Optional(Type.String()),
  scopes: Type.Array(ScopeSchema),
  purpose: Type.Optional(Type.String()),
  access_until: Type.Optional(dateTime('Until when the agent can act, if it can.')),
  expires_at: dateTime(`When the request ends, ${limits.authorizationHours} hours after it was made.`),
});

/** Facts about the mail to the human, so that the agent can say which mail to look for. */
export const MailSchema = Type.Object({
  to: Type.String({ description: 'The address that the service read: check it for typing errors.' }),
  from: Type.String({ description: 'The sender.' }),
  subject: Type.String({ description: 'The subject.' }),
  link_minutes: Type.Integer({
    minimum: 1,
    description:
      'For how many minutes the link in the mail can decide. After that its page sends a new link, until the request ends.',
  }),
});

/** The call with which the agent fetches its token (gateway/PROTOCOL.md#request). */
export const TokenExchangeSchema = Type.Object({
  method: Type.Literal('POST'),
  path: Type.String(),
  device_code: Type.String({ description: 'Secret: whoever holds it gets the token.' }),
  interval_seconds: Type.Integer({ minimum: 1, description: 'The shortest time between two polls, in seconds.' }),
});

const tokenFacts = {
  scopes: Type.Array(ScopeSchema),
  sites: Type.Array(SiteSchema),
  email: Type.String({ description: 'The verified address; only the holder of the token sees it.' }),
  expires_at: dateTime(`${limits.tokenDays} days after the agent asked, as the mail to the human said.`),
};

/** The response to an agent that polls before the human has decided (gateway/PROTOCOL.md#token-exchange). */
export const PendingTokenSchema = Type.Object({
  ok,
  state: Type.Literal('pending'),
  interval_seconds: Type.Integer({ minimum: 1 }),
  expires_at: dateTime('When the request ends.'),
  message: Type.String({ description: 'What to do if the human does not answer.' }),
});

/** The response with the token, after the human has confirmed. */
export const IssuedTokenSchema = Type.Object({
  ok,
  state: Type.Literal('issued'),
  token: Type.String({ description: '`cks_…`; a secret.' }),
  token_type: Type.Literal('Bearer'),
  ...tokenFacts,
});

/** The description of a token for its agent (gateway/PROTOCOL.md#tokens). */
export const TokenSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  agent_name: Type.String(),
  ...tokenFacts,
  created_at: dateTime('When it was made.'),
  last_used_at: nullable(Type.String({ format: 'date-time' }), 'When it was last used, to the minute; null if never.'),
});

const contributionFields = {
  id: Type.String({
    format: 'uuid',
    description: 'For a story or a prompt reply, its published object has the same id.',
  }),
  type: Type.Enum([...contributionTypes]),
  site: SiteSchema,
  state: Type.Enum([...contributionStates]),
  title: Type.Optional(Type.String({ description: 'Only for a story.' })),
  prompt_id: Type.Optional(Type.String({ description: 'Only for a prompt reply.' })),
  purpose: Type.Optional(Type.Enum([...inquiryPurposes], { description: 'Only for an inquiry.' })),
  about: Type.Optional(uri('The text that an inquiry is about: its api_url. Absent if it names none.')),
  submitted_at: dateTime('When it was taken.'),
  updated_at: dateTime('When it last changed.'),
  status_url: uri('Where its own agent follows it.'),
  object_url: nullable(
    Type.String({ format: 'uri' }),
    'Where it can be read once it is published; null for an inquiry.',
  ),
};

/** The response to a submission (gateway/PROTOCOL.md#contributions). */
export const ContributionSchema = Type.Object(contributionFields);

const textFields = ['title', 'body', 'name', 'language'] as const;

const WrittenTextSchema = Type.Object({
  title: nullable(Type.String(), 'The title of a story; null otherwise.'),
  body: Type.String(),
  name: nullable(Type.String(), 'The name; null if there is none.'),
  language: nullable(Type.String(), 'The language; null where it is unknown.'),
});

/** A change of the text of a contribution, by its agent or a moderator (gateway/PROTOCOL.md#new-texts). */
const TextChangeSchema = Type.Object({
  changed_at: dateTime('When the text changed.'),
  by: Type.Enum(['agent', 'moderator', 'human'], { description: 'The human is meant where they undid an edit.' }),
  reason: nullable(Type.String(), 'Why a moderator changed the text; null for others.'),
  fields: Type.Array(Type.Enum([...textFields]), { description: 'What changed.' }),
  before: Type.Optional(
    nullable(WrittenTextSchema, 'The text before the change; null if a moderator removed it. Not in lists.'),
  ),
});

/** A contribution with its text and its review, as its own agent gets it (gateway/PROTOCOL.md#contributions). */
export const ContributionStatusSchema = Type.Object({
  ...contributionFields,
  body: Type.String({ description: 'The text as it is now.' }),
  name: nullable(Type.String(), 'The name as it is now; null if there is none.'),
  language: nullable(Type.String(), 'The language as sent or recognised, a BCP 47 tag; null where neither says it.'),
  reviewed_at: nullable(Type.String({ format: 'date-time' }), 'When a moderator decided; null until then.'),
  reason: nullable(
    Type.String(),
    'Why it was rejected, retracted or closed, or which changes a moderator asks for; null otherwise.',
  ),
  changes_due_at: nullable(
    Type.String({ format: 'date-time' }),
    'Until when a new text is taken, if a moderator asks for changes; null otherwise.',
  ),
  text_changes: Type.Array(TextChangeSchema, { description: 'The changes of the text, oldest first.' }),
  proposed_edit: nullable(
    Type.Object({ proposed_at: dateTime('When it was proposed.'), reason: Type.String(), text: WrittenTextSchema }),
    'An edit of the published text by a moderator, which waits for the yes of the human; null if there is none.',
  ),
  answer: nullable(Type.String(), 'The answer to an inquiry; null otherwise.'),
});

export const ContributionListSchema = Type.Object({
  ok,
  api_version: Type.String(),
  total: nullable(count()),
  entries: Type.Array(ContributionStatusSchema),
  ...paging,
  ...ignoredFields,
});
