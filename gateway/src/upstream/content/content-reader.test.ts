import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { Change, ChangeSubject } from '@knowledge/proto/knowledge/content/v1/content';
import { expect, it } from 'vitest';
import { dependenciesOf, dependency } from './content-reader.js';

const changed = (subject: ChangeSubject, site = Site.ORG) =>
  dependenciesOf(Change.fromPartial({ subject, site, key: 'k', tags: ['t'] }));

it('makes every search outdated after a change of an article, an object or a synonym', () => {
  for (const subject of [ChangeSubject.ARTICLE, ChangeSubject.OBJECT]) {
    expect(changed(subject)).toContain(dependency.search);
  }
  expect(changed(ChangeSubject.SYNONYMS, Site.UNSPECIFIED)).toEqual([dependency.search]);
  expect(changed(ChangeSubject.HIGHLIGHTS)).not.toContain(dependency.search);
});
