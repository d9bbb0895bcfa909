import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { InquiryPurpose } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { expect, it } from 'vitest';
import { enumWords } from './index.js';

const site = enumWords('site', Site);
const kind = enumWords('kind', ObjectKind);

it('converts words of the domain to the wire and back', () => {
  expect(site.toWire('io')).toBe(Site.IO);
  expect(kind.toWire('prompt_reply')).toBe(ObjectKind.PROMPT_REPLY);
  expect(site.require(Site.ORG)).toBe('org');
  expect(kind.optional(ObjectKind.KNOWLEDGE)).toBe('knowledge');
});

it('does not compile for a word that the enum lacks', () => {
  // @ts-expect-error No site has this name.
  expect(site.toWire('com')).toBeUndefined();
});

it('returns undefined for an unspecified value if the field is optional', () => {
  expect(kind.optional(ObjectKind.UNSPECIFIED)).toBeUndefined();
  expect(() => kind.require(ObjectKind.UNSPECIFIED)).toThrow('kind is required: story, prompt_reply or knowledge.');
  const purpose = enumWords('purpose', InquiryPurpose);
  expect(() => purpose.require(InquiryPurpose.UNSPECIFIED)).toThrow(
    'purpose is required: question, correction or report.',
  );
});

it('refuses a value that this version does not know', () => {
  expect(() => site.optional(Site.UNRECOGNIZED)).toThrow('site must be io or org.');
  expect(() => site.require(Site.UNRECOGNIZED)).toThrow(expect.objectContaining({ code: 'validation_error' }));
});
