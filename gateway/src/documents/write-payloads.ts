import type { Static } from 'typebox';
import type { WritePayloadSchema } from '../protocol/document-schemas.js';
import { submitContribution } from '../protocol/write-operations.js';
import { InquirySchema, PromptReplySchema, StorySchema } from '../protocol/write-schemas.js';
import { type Field, fieldsOf } from './fields.js';

type WritePayload = Static<typeof WritePayloadSchema>;

const { path } = submitContribution;
const shared = { method: 'POST' as const, path, auth: 'bearer' as const };
const siteDefault = 'the site of the request';

/** The bodies of contributions by type (gateway/PROTOCOL.md#capabilities). */
export const writePayloads: Readonly<Record<'inquiry' | 'story' | 'prompt_reply', WritePayload>> = {
  inquiry: {
    ...shared,
    scope: 'write:inquiry',
    sites: ['io', 'org'],
    body: addFacts(fieldsOf(InquirySchema), { site: { default: siteDefault } }),
  },
  story: {
    ...shared,
    scope: 'write:story',
    sites: ['org'],
    body: addFacts(fieldsOf(StorySchema), { site: onlyOrg() }),
  },
  prompt_reply: {
    ...shared,
    scope: 'write:prompt_reply',
    sites: ['org'],
    body: addFacts(fieldsOf(PromptReplySchema), {
      site: onlyOrg(),
      prompt_id: { default: 'the active community prompt' },
    }),
  },
};

// Adds what schemas cannot express: defaults that depend on the request, and that io is refused.
function addFacts(fields: Record<string, Field>, more: Record<string, Partial<Field>>): Record<string, Field> {
  for (const [name, facts] of Object.entries(more)) {
    const known = fields[name];
    if (known === undefined) throw new TypeError(`There is no field ${name}.`);
    const { values, ...rest } = known;
    fields[name] = { ...rest, ...(facts.value === undefined && values !== undefined && { values }), ...facts };
  }
  return fields;
}

function onlyOrg(): Partial<Field> {
  return { value: 'org', default: siteDefault };
}
