import {
  type ContributionType,
  contributionStates,
  contributionTypes,
  type InquiryPurpose,
  inquiryPurposes,
  scopes,
  writtenNames,
} from '@knowledge/runtime/product';
import { type Static, type TObject, Type } from 'typebox';
import { limits } from './limits.js';
import { emailPattern, languagePattern } from './patterns.js';
import {
  answer,
  boundedText,
  count,
  dateTime,
  ignoredFields,
  named,
  nullable,
  nullableText,
  nullableTime,
  optionalText,
  paging,
  SiteSchema,
  text,
  uri,
} from './schemas.js';

const ScopeSchema = Type.Enum([...scopes], { description: 'What a token may write.' });

const strict = { additionalProperties: false };

const site = (description: string) => Type.Optional(Type.Enum(['io', 'org'], { description }));
const onlyOrg = 'Only org; io is answered with site_restriction. Default: the site of the request.';
const typeAndSite = <Name extends ContributionType>(type: Name, sites = onlyOrg) => ({
  type: Type.Literal(type, { description: 'The type, which decides about the other fields.' }),
  site: site(sites),
});

/** The texts that each type has. */
const texts = {
  body: boundedText(
    limits.body,
    'The text; it may be Markdown, without images, tokens or keys of this service, and the e-mail address of the human. White space at its ends does not count for the minimum.',
  ),
  name: optionalText(limits.name, 'The name to show; never an e-mail address.'),
  language: optionalText(
    limits.language,
    'The language of the text, a BCP 47 tag such as de. If you leave it out, the service recognises it where it can.',
    languagePattern,
  ),
};

const purposes = Object.keys(inquiryPurposes) as InquiryPurpose[];

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
export const NewTextSchema = named(
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

/** The body of POST /api/v1/agent/authorize (gateway/PROTOCOL.md#request). */
export const AuthorizeBodySchema = named(
  'AuthorizeRequest',
  Type.Object(
    {
      email: boundedText(
        limits.email,
        "The human's address: exactly one, without a name. We never add it to a text.",
        emailPattern,
      ),
      agent_name: boundedText(
        limits.agentName,
        "How the human knows you: letters, marks, digits, space and _-+()', inside also . and /. No name of this service or of those who work for it, like “The moderators”.",
      ),
      scopes: Type.Optional(
        Type.Array(ScopeSchema, {
          uniqueItems: true,
          maxItems: scopes.length,
          description: `What you want to write. The default is all, for a renewal the scopes of the token; [] asks for a token that only reads, ${limits.readsPerDay.verifiedEmail} articles a day.`,
        }),
      ),
      site: site('The site whose pages and mails serve the human; default: the site of the request.'),
      purpose: optionalText(limits.purpose, 'Why you ask, in your words; the human reads it.'),
    },
    strict,
  ),
);

/** The body of POST …/confirm, as JSON or as a form (gateway/PROTOCOL.md#decision). */
export const DecisionBodySchema = named(
  'DecisionRequest',
  Type.Object(
    {
      decision: Type.Optional(
        Type.Enum(['confirm', 'decline'], {
          default: 'confirm',
          description: 'What the human decides; an agent never sends this.',
        }),
      ),
      user_code: optionalText(
        { max: 40 },
        'The code of the agent, where the human must type it; a code that is sent is always compared. Case and dash do not count.',
      ),
      keep_waiting: Type.Optional(
        Type.Enum(['yes', 'no'], {
          default: 'no',
          description:
            'For a decline that ends an access: `yes` keeps what waits for review; otherwise it is withdrawn.',
        }),
      ),
    },
    strict,
  ),
);

/** The body of POST /api/v1/agent/token (gateway/PROTOCOL.md#token-exchange). */
export const TokenExchangeBodySchema = named(
  'TokenRequest',
  Type.Object(
    {
      device_code: boundedText({ min: 1, max: 512 }, 'The secret from the response of authorize; show it to nobody.'),
    },
    strict,
  ),
);

/** An authorization as JSON for its agent (gateway/PROTOCOL.md#authorization). */
export const AuthorizationSchema = named(
  'Authorization',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    state: Type.Enum(['pending', 'confirmed', 'declined', 'issued', 'expired', 'revoked', 'renewed']),
    email: text('The address, with the part before the @ hidden.'),
    agent_name: Type.Optional(text()),
    scopes: Type.Array(ScopeSchema),
    purpose: Type.Optional(text()),
    access_until: Type.Optional(dateTime('Until when the agent can act, if it can.')),
    expires_at: dateTime(`When the request ends, ${limits.authorizationHours} hours after it was made.`),
  }),
);

/** Facts about the mail to the human, so that the agent can say which mail to look for. */
export const MailSchema = Type.Object({
  to: text('The address that the service read: check it for typing errors.'),
  from: text('The sender.'),
  subject: text('The subject.'),
  link_minutes: Type.Integer({
    minimum: 1,
    description:
      'For how many minutes the link in the mail can decide. After that its page sends a new link, until the request ends.',
  }),
});

/** The call with which the agent fetches its token (gateway/PROTOCOL.md#request). */
export const TokenExchangeSchema = named(
  'TokenExchange',
  Type.Object({
    method: Type.Literal('POST'),
    path: text(),
    device_code: text('Secret: whoever holds it gets the token.'),
    interval_seconds: Type.Integer({ minimum: 1, description: 'The shortest time between two polls, in seconds.' }),
  }),
);

const tokenFacts = {
  scopes: Type.Array(ScopeSchema),
  sites: Type.Array(SiteSchema),
  email: text('The verified address; only the holder of the token sees it.'),
  expires_at: dateTime(`${limits.tokenDays} days after the agent asked, as the mail to the human said.`),
};

/** The response to an agent that polls before the human has decided (gateway/PROTOCOL.md#token-exchange). */
export const PendingTokenSchema = named(
  'PendingToken',
  answer({
    state: Type.Literal('pending'),
    interval_seconds: Type.Integer({ minimum: 1 }),
    expires_at: dateTime('When the request ends.'),
    message: text('What to do if the human does not answer.'),
  }),
);

/** The response with the token, after the human has confirmed. */
export const IssuedTokenSchema = named(
  'IssuedToken',
  answer({
    state: Type.Literal('issued'),
    token: text('`cks_…`; a secret.'),
    token_type: Type.Literal('Bearer'),
    ...tokenFacts,
  }),
);

/** The description of a token for its agent (gateway/PROTOCOL.md#tokens). */
export const TokenSchema = named(
  'Token',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    agent_name: text(),
    ...tokenFacts,
    created_at: dateTime('When it was made.'),
    last_used_at: nullableTime('When it was last used, to the minute; null if never.'),
  }),
);

/** The texts that only some types have. One that is empty is absent. */
export const textsOfSomeTypes = {
  title: Type.Optional(text('Only for a story.')),
  prompt_id: Type.Optional(text('Only for a prompt reply.')),
};

const contributionFields = {
  id: Type.String({
    format: 'uuid',
    description: 'Where it is published, its object has the same id.',
  }),
  type: Type.Enum([...contributionTypes]),
  site: SiteSchema,
  state: Type.Enum([...contributionStates]),
  ...textsOfSomeTypes,
  purpose: Type.Optional(Type.Enum(purposes, { description: 'Only for an inquiry.' })),
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
export const ContributionSchema = named('Contribution', Type.Object(contributionFields));

const textOfEveryType = {
  body: text(),
  name: nullableText('The name; null if there is none.'),
  language: nullableText('The language as sent or recognised, a BCP 47 tag; null where neither says it.'),
};
const WrittenTextSchema = Type.Object({
  title: nullableText('The title of a story; null otherwise.'),
  ...textOfEveryType,
});

/** A change of the text of a contribution, by its agent or a moderator (gateway/PROTOCOL.md#new-texts). */
const TextChangeSchema = Type.Object({
  changed_at: dateTime('When the text changed.'),
  by: Type.Enum(['agent', 'moderator', 'human'], { description: 'The human is meant where they undid an edit.' }),
  reason: nullableText('Why a moderator changed the text; null for others.'),
  fields: Type.Array(Type.Enum([...writtenNames]), { description: 'What changed.' }),
  before: Type.Optional(
    nullable(WrittenTextSchema, 'The text before the change; null if a moderator removed it. Not in lists.'),
  ),
});

/** A contribution with its text and its review, as its own agent gets it (gateway/PROTOCOL.md#contributions). */
export const ContributionStatusSchema = named(
  'ContributionStatus',
  Type.Object({
    ...contributionFields,
    ...textOfEveryType,
    reviewed_at: nullableTime('When a moderator decided; null until then.'),
    reason: nullableText(
      'Why it was rejected, retracted or closed, or which changes a moderator asks for; null otherwise.',
    ),
    changes_due_at: nullableTime('Until when a new text is taken, if a moderator asks for changes; null otherwise.'),
    text_changes: Type.Array(TextChangeSchema, { description: 'The changes of the text, oldest first.' }),
    proposed_edit: nullable(
      Type.Object({ proposed_at: dateTime('When it was proposed.'), reason: text(), text: WrittenTextSchema }),
      'An edit of the published text by a moderator, which waits for the yes of the human; null if there is none.',
    ),
    answer: nullableText('The answer to an inquiry; null otherwise.'),
  }),
);

export const ContributionListSchema = named(
  'ContributionList',
  answer({
    api_version: text(),
    total: nullable(count()),
    entries: Type.Array(ContributionStatusSchema),
    ...paging,
    ...ignoredFields,
  }),
);
