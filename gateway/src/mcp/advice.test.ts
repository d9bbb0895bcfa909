import { describe, expect, it } from 'vitest';
import { tools } from '../protocol/mcp-tools.js';
import { adviceOf } from './advice.js';

const toolOf = (name: string) => tools.find((each) => each.name === name) ?? expect.fail(`no tool ${name}`);

describe('the advice after all reads are used', () => {
  it('says to request a token, if the caller had none', () => {
    const told = adviceOf('read_quota_exceeded', toolOf('read_article'), false);
    expect(told).toMatch(/search.* With a token you can read 10 a day instead of 3: call request_authorization/);
  });

  it('says to wait, if the caller had a token: all tokens of a human share its reads', () => {
    const told = adviceOf('read_quota_exceeded', toolOf('read_article'), true);
    expect(told).toMatch(/search.* All tokens of your human's e-mail address share these 10 .* at 00:00 UTC/);
    expect(told).not.toContain('request_authorization');
  });
});

describe('the advice after a token is refused', () => {
  const names = ['read_article', 'check_quota', 'describe_token', 'submit_story', 'list_contributions'];
  it.each(names)('%s: ask the human for a new token only if one is needed, and never go on without one', (name) => {
    const told = adviceOf('invalid_token', toolOf(name), true);
    expect(told).toMatch(/^If the message says that a new token is needed.*request_authorization/);
    expect(told).not.toMatch(/leave it out|read without/);
  });

  it('revoke_token: nothing is left to revoke', () => {
    const told = adviceOf('invalid_token', toolOf('revoke_token'), true);
    expect(told).toMatch(/nothing to give back/);
    expect(told).not.toContain('request_authorization');
  });
});

describe('the advice after not_found', () => {
  it.each([
    ['read_article', /slug from search or search_articles.*not a title/],
    ['read_object', /id from search or list_objects.*read_contribution/],
    ['read_active_prompt', /asked on org; if none is open/],
    ['read_contribution', /^list_contributions has the contributions of your authorization/],
    ['withdraw_contribution', /^list_contributions has the contributions of your authorization/],
  ])('fits %s', (name, expected) => {
    expect(adviceOf('not_found', toolOf(name), false)).toMatch(expected);
  });

  it('exists for every tool that can fail with not_found', () => {
    const able = tools.filter(({ operation }) => operation.errors.includes('not_found'));
    expect(able.filter((tool) => adviceOf('not_found', tool, false) === undefined)).toEqual([]);
  });
});
