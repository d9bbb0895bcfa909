import { describe, expect, it } from 'vitest';
import { tools } from '../protocol/mcp-tools.js';
import { adviceOf } from './advice.js';

const toolOf = (name: string) => tools.find((each) => each.name === name) ?? expect.fail(`no tool ${name}`);

describe('what to do when reads are used up', () => {
  it('is, for an anonymous reader, to request a token', () => {
    const told = adviceOf('read_quota_exceeded', toolOf('read_article'), false);
    expect(told).toMatch(/search_articles.* A token reads 10 a day instead of 3: request_authorization/);
  });

  it('is, with a token, to wait: its human has no more reads with any token', () => {
    const told = adviceOf('read_quota_exceeded', toolOf('read_article'), true);
    expect(told).toMatch(/search_articles.* All tokens of your human's e-mail address share these 10 .* at 00:00 UTC/);
    expect(told).not.toContain('request_authorization');
  });
});

describe('what to do after a token is refused', () => {
  const names = ['read_article', 'check_quota', 'describe_token', 'submit_story', 'list_contributions'];
  it.each(names)('%s: ask the human again, never go on without', (name) => {
    const told = adviceOf('invalid_token', toolOf(name), true);
    expect(told).toMatch(/^Ask your human for a new authorization.*request_authorization/);
    expect(told).not.toMatch(/leave it out|read without/);
  });

  it('revoke_token: there is nothing to revoke', () => {
    const told = adviceOf('invalid_token', toolOf('revoke_token'), true);
    expect(told).toMatch(/nothing to give back/);
    expect(told).not.toContain('request_authorization');
  });
});

describe('what to do when nothing is there', () => {
  it.each([
    ['read_article', /slug from search_articles.*not a URL/],
    ['read_object', /id from list_objects.*read_contribution/],
    ['read_active_prompt', /asked on org; if none is open/],
    ['read_contribution', /^list_contributions has the contributions of your authorization/],
    ['withdraw_contribution', /^list_contributions has the contributions of your authorization/],
  ])('fits %s', (name, expected) => {
    expect(adviceOf('not_found', toolOf(name), false)).toMatch(expected);
  });

  it('is given for every tool that can fail like this', () => {
    const able = tools.filter(({ operation }) => operation.errors.includes('not_found'));
    expect(able.filter((tool) => adviceOf('not_found', tool, false) === undefined)).toEqual([]);
  });
});
