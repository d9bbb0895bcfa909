import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { CommunityObject, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { expect, it } from 'vitest';
import { readFrontMatter } from '../files/front-matter.js';
import { objectMarkdown, readObject } from './object-file.js';

it('writes a file that the import reads back without loss', () => {
  const facts = {
    ...{ id: '0f8fad5b-d9cb-469f-a165-70867728950e', kind: ObjectKind.KNOWLEDGE, site: Site.ORG },
    ...{ title: '1.10: "yes"', summary: '', author: 'no', language: 'pl' },
    publishedAt: new Date('2026-06-01T09:00:00Z'),
  };
  const body = '---\n# Head\n\n  code\n';
  const file = objectMarkdown(CommunityObject.fromPartial({ entry: facts, body }));
  const { request } = readObject(readFrontMatter(Buffer.from(file)), { site: undefined, reason: 'why' });
  expect(request).toEqual({ ...facts, body, reason: 'why' });
});
