import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { CommunityObject, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import { expect, it } from 'vitest';
import { sites } from '../../testing/stand-ins.js';
import { objectPage } from './objects-page.js';

function pageIn(language: string, kind = ObjectKind.STORY): string {
  const entry = { id: 'o1', kind, title: 'Ein Titel', site: Site.ORG, author: 'Jo', language };
  return objectPage(CommunityObject.fromPartial({ entry, body: 'Ein Text.' }), sites, createMarkdownRenderer(1024));
}

it('says the language of the text, and that its own words are English', () => {
  const page = pageIn('de');
  expect(page).toContain('<article lang="de">');
  expect(page).toMatch(/<p class="kicker" lang="en">/);
  expect(page).toContain('in German');
  expect(page).toContain('<h1 dir="ltr">Ein Titel</h1>');
  expect(pageIn('de', ObjectKind.PROMPT_REPLY)).toContain('<h1 lang="en" dir="auto">A reply by');
});

it('claims no language that it does not know', () => {
  expect(pageIn('')).toContain('<article>');
  expect(pageIn('x" onload="y')).toContain('<article>');
});

it('marks stories and replies as by the community', () => {
  expect(pageIn('de')).toMatch(/class="byline"[^\n]*community/i);
  expect(pageIn('de', ObjectKind.PROMPT_REPLY)).toMatch(/class="byline"[^\n]*community/i);
});
