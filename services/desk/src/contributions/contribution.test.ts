import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import {
  ContributionState,
  ContributionType,
  InquiryPurpose,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ContributionRecord } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { describe, expect, it } from 'vitest';
import { isListed } from '../base/contribution-words.js';
import { plain } from '../base/text.js';
import { formatContribution, presentContribution } from './contribution.js';

const record = ContributionRecord.fromPartial({
  contribution: {
    id: '11111111-1111-4111-8111-111111111111',
    type: ContributionType.PROMPT_REPLY,
    site: Site.ORG,
    state: ContributionState.RETRACTED,
    body: 'The limit was \u202e0001.',
    promptId: 'p1',
    promptQuestion: 'What surprised you?',
    language: 'en',
  },
  email: 'jo@example.org',
  agentName: 'Atlas',
  accessEndedAt: new Date('2026-11-21T10:00:00Z'),
  accessEndedBy: 'human',
  duplicateOf: '22222222-2222-4222-8222-222222222222',
  hiddenCharacters: ['body: U+202E (right-to-left override) at character 15'],
  note: 'the third time',
  changedBy: 'human',
  risk: 42,
  checks: [{ check: 'links', weight: 12, text: '4 links' }],
  similar: [
    { id: '33333333-3333', beginning: 'Buy it\nnow', state: ContributionState.REJECTED, percent: 84, sameHuman: false },
  ],
  ofHuman: {
    counts: [{ state: ContributionState.REJECTED, count: 3 }],
    newest: [
      {
        ...{ id: '44444444-4444', type: ContributionType.INQUIRY, purpose: InquiryPurpose.REPORT },
        ...{ beginning: 'Buy it\nnow', state: ContributionState.REJECTED, reason: 'an advertisement' },
      },
    ],
  },
});

it('presentContribution gives programs every fact that moderators need', () => {
  expect(presentContribution(record)).toMatchObject({
    prompt_question: 'What surprised you?',
    access_ended_at: expect.stringMatching(/^2026-11-21T10:00/),
    access_ended_by: 'human',
    duplicate_of: record.duplicateOf,
    hidden_characters: record.hiddenCharacters,
    note: 'the third time',
    taken_down_by_human: true,
    risk: 42,
    checks: [{ check: 'links', weight: 12, text: '4 links' }],
  });
});

describe('formatContribution', () => {
  it('shows the question, the end of access, a duplicate, hidden characters, and the text as readers see it', () => {
    const shown = formatContribution(presentContribution(record), plain);
    expect(shown).toMatch(/it asks +What surprised you\?/);
    expect(shown).toMatch(/access ended +.*by human/);
    expect(shown).toMatch(/same text as +22222222/);
    expect(shown).toMatch(/taken down +by its human/);
    expect(shown).toMatch(/note +the third time/);
    expect(shown).toMatch(/! body: U\+202E \(right-to-left override\) at character 15/);
    expect(shown).toMatch(/Risk 42 of 100\n +12 {2}4 links/);
    expect(shown).toMatch(/84 % +33333333 +rejected, another human +Buy it now/);
    expect(shown).toMatch(/of this human\n +3 rejected\n +44444444 +report +rejected +Buy it now: an advertisement/);
    expect(shown).toContain('The limit was ⟦U+202E⟧0001.');
    expect(shown).toContain('  The limit was 0001.');
  });

  it('leaves out facts that do not apply', () => {
    const usual = { ...record, accessEndedAt: undefined, accessEndedBy: '', duplicateOf: '', hiddenCharacters: [] };
    const shown = formatContribution(presentContribution({ ...usual, note: '', changedBy: 'ann' }), plain);
    expect(shown).not.toMatch(/access ended|same text|Hidden|note|taken down/);
  });
});

it.each([
  ['approved', true],
  ['withdrawn', true],
  ['decided', true],
  ['undone', true],
  ['dropped', false],
  ['proposed', false],
  ['declined', false],
  ['erased', false],
  ['viewed', false],
])('the list of the queue follows states and decisions, and nothing else: %s', (to, listed) => {
  expect(isListed(to)).toBe(listed);
});
